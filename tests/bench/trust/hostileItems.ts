/** The mixture of hostile requests: calls of all endpoints, and HTTP that is not well-formed. */
import fc from 'fast-check'
import type { Endpoint } from '../../../src/api/contract/endpoint.ts'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { events } from '../../../src/api/contract/events.ts'
import { logout } from '../../../src/api/contract/logout.ts'
import { roles, type Role } from '../../../src/domain/roles.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { malformedHttp } from '../../support/hostile/malformed.ts'
import { requestBytes } from '../../support/hostile/requestBytes.ts'
import { hostileRequests, type Known } from '../../support/hostile/requests.ts'
import { signIn } from '../session.ts'

export interface Item {
  /** Its place in the whole run. */
  readonly number: number
  readonly bytes: Buffer
  readonly isMalformed: boolean
}

interface Part {
  readonly seed: number
  /** The number of its first request. */
  readonly from: number
  readonly count: number
}

/** Requests that are generated at a time. */
const perBatch = 1000
/** Rows of each list whose ids are used. */
const rowsPerList = 40
/** Addresses that the requests are sent for. */
const addresses = 65_536

/** Returns requests for the rows and sessions that the server has now. The same seed gives the same ones. */
export async function hostileItems(url: string, { seed, from, count }: Part): Promise<Iterable<Item>> {
  const mixture = mixtureOf(await readKnown(url))
  return (function* items() {
    for (let at = from; at < from + count; at += perBatch) {
      const numRuns = Math.min(perBatch, from + count - at)
      yield* fc.sample(mixture, { numRuns, seed: seed + at }).map((item, index) => ({ ...item, number: at + index }))
    }
  })()
}

/**
 * How often an endpoint is called. Hashing a password, reading a file and opening a stream each take as long as tens of
 * other calls, and the first two wait for one another.
 */
function weightOf({ body, upload, stream }: Endpoint): number {
  const hashes = 'shape' in body && Object.keys(body.shape as object).some(name => name.includes('password'))
  return hashes || upload || stream ? 1 : 10
}

function mixtureOf(known: Known): fc.Arbitrary<Omit<Item, 'number'>> {
  // Signing out would leave the other calls without a session.
  const called = endpoints.filter(endpoint => endpoint !== logout)
  const weighted = called.map(endpoint => ({
    weight: weightOf(endpoint),
    arbitrary: hostileRequests(endpoint, known),
  }))
  const requests = fc.tuple(fc.oneof(...weighted), fc.nat({ max: addresses - 1 })).map(([request, address]) => ({
    ...request,
    headers: { 'x-forwarded-for': `10.0.${address >> 8}.${address & 255}`, ...request.headers },
  }))
  return fc.oneof(
    { weight: 12, arbitrary: requests.map(request => ({ bytes: requestBytes(request), isMalformed: false })) },
    { weight: 1, arbitrary: malformedHttp(requests).map(bytes => ({ bytes, isMalformed: true })) },
  )
}

/** Signs in with all roles, and reads ids of rows of every list, except those of the callers. */
async function readKnown(url: string): Promise<Known> {
  const sessions = await Promise.all(roles.map(role => signIn(url, role)))
  const tokens = new Map<Role, string>(roles.map((role, index) => [role, sessions[index]!.accessToken]))
  const lists = endpoints.filter(({ columns, path }) => columns && !path.includes('{'))
  const read = lists.map(endpoint => {
    const role = roles.find(each => endpoint.roles.includes(each))!
    return readIds(`${url}${endpoint.path}?limit=${rowsPerList}`, tokens.get(role)!)
  })
  const span = [-msPerDay, msPerDay].map(offset => new Date(Date.now() + 100 * offset).toISOString())
  const eventsUrl = `${url}${events.list.path}?from=${span[0]}&to=${span[1]}&limit=${rowsPerList}`
  const ids = (await Promise.all([...read, readIds(eventsUrl, tokens.get('admin')!)])).flat()
  const callers = new Set(sessions.map(({ userId }) => userId))
  return { tokens, ids: ids.filter(id => !callers.has(id)) }
}

interface Row {
  readonly _id?: string
  readonly bssid?: string
}

async function readIds(url: string, token: string): Promise<string[]> {
  const answer = await fetch(url, { headers: { 'access-token': token } })
  if (!answer.ok) throw new Error(`${url} returned ${answer.status}`)
  const { data } = (await answer.json()) as { data: Row[] | { data: Row[] } }
  const rows = Array.isArray(data) ? data : data.data
  return rows.flatMap(({ _id, bssid }) => bssid ?? _id ?? [])
}

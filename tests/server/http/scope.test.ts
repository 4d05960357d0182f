/**
 * What is of others, generated from the contract: every endpoint × every role × each id that its path, query or body names.
 * A row of others looks like an absent one, and is neither read nor changed. A field of a new endpoint must be known to
 * tests/server/support/contract/kinds.ts, and what it reads must be among the rows that `worlds.ts` beside it gives to two vendors.
 */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { BulkResponse, Endpoint } from '../../../src/api/contract/endpoint.ts'
import { inputSchema } from '../../../cli/inputSchema.ts'
import { roles, type Role } from '../../../src/domain/roles.ts'
import { absent, contractCalls, dataOf, guarded, takesMany } from '../support/contract/calls.ts'
import { startServer } from '../support/harness.ts'
import {
  foreignRow,
  hasForeign,
  maySend,
  namedBy,
  otherVendorThan,
  ownRow,
  type KindName,
} from '../support/contract/kinds.ts'
import { checksum, rowsOfOthers } from '../support/database/rows.ts'
import type { Chosen } from '../support/contract/sample.ts'
import { emptyWorld, furnish, rangeOf, type World } from '../support/contract/worlds.ts'

const server = await startServer()
const { db } = server
const { callers, vendor, tokenOf, send } = await contractCalls(server)
const other = await otherVendorThan(db, vendor)
for (const id of [vendor, other]) await furnish(db, id)

const allowed = (role: Role) => guarded.filter(([, endpoint]) => endpoint.roles.includes(role))
const own = (kind: KindName, role: Role) => ownRow(db, kind, vendor, callers[role].id)

/** Returns the ids of what a path names, which the caller may use. */
async function ownParams(endpoint: Endpoint, role: Role): Promise<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const [name, kind] of namedBy(endpoint).path) params[name] = await own(kind, role)
  return params
}

/** The value of a field that names one row. */
const naming = (endpoint: Endpoint, where: 'query' | 'body', name: string, id: string): Chosen =>
  where === 'query'
    ? { query: { ...rangeOf(endpoint), [name]: id } }
    : { body: { [name]: lists.includes(name) ? [id] : id } }
const lists = ['ids', 'devices', 'vendors', 'cartridges']

describe.each(roles)('%s', role => {
  const named = allowed(role).flatMap(([name, endpoint]) => {
    const { path, query, body } = namedBy(endpoint)
    const entries = [
      ...[...path].map(([field, kind]) => ['path', field, kind] as const),
      ...[...query].map(([field, kind]) => ['query', field, kind] as const),
      ...[...body].map(([field, kind]) => ['body', field, kind] as const),
    ]
    return entries
      .filter(([, field, kind]) => hasForeign(kind, role) && maySend(endpoint, field, role))
      .map(([where, field, kind]) => ({ name, endpoint, where, field, kind }))
  })
  const isMany = ({ endpoint, field }: (typeof named)[number]) => takesMany(endpoint) && field === 'ids'

  test.each(named.filter(one => !isMany(one)))(
    '$name answers $field of others in its $where like an absent one',
    async ({ endpoint, where, field, kind }) => {
      const foreign = await foreignRow(db, kind, role, other)
      const params = await ownParams(endpoint, role)
      const rows = takesMany(endpoint) ? { ids: [await own(namedBy(endpoint).body.get('ids')!, role)] } : {}
      const before = await checksum(db)
      const sendWith = (id: string) => {
        if (where === 'path') return send(endpoint, role, { params: { ...params, [field]: id } })
        const chosen = naming(endpoint, where, field, id)
        return send(endpoint, role, { params, ...chosen, body: { ...rows, ...chosen.body } })
      }
      const [refused, missing] = [await sendWith(foreign), await sendWith(absent)]
      expect(refused.statusCode).toBe(missing.statusCode)
      expect(refused.body.replaceAll(foreign, absent)).toBe(missing.body)
      if (where === 'path') expect(refused.statusCode).toBe(404)
      else if (endpoint.method !== 'GET') expect(refused.statusCode).toBeGreaterThanOrEqual(400)
      expect(await checksum(db)).toBe(before)
      // It was refused for this id, and not for another reason.
      const accepted = await sendWith(await own(kind, role))
      expect(accepted.statusCode).toBeLessThan(500)
      expect(accepted.body).not.toBe(missing.body)
    },
  )

  test.each(named.filter(isMany))('$name with mixed ids changes only what is not of others', async one => {
    const { endpoint, kind } = one
    const [foreign, mine] = [await foreignRow(db, kind, role, other), await own(kind, role)]
    const before = await rowsOfOthers(db, vendor)
    const whole = await checksum(db)
    const body = { ids: [foreign, mine, absent] }
    const previewed = await send(endpoint, role, { body, query: { preview: 'true' } })
    expect(await checksum(db)).toBe(whole)
    const answer = await send(endpoint, role, { body })
    expect(answer.statusCode).toBe(200)
    expect(dataOf(endpoint, answer)).toMatchObject(dataOf(endpoint, previewed) as BulkResponse)
    const { count, total, failed } = dataOf(endpoint, answer) as BulkResponse
    expect(total).toBe(3)
    expect(count + failed.length).toBe(3)
    const reasons = new Map(failed.map(({ id, message }) => [id, message]))
    expect(reasons.get(absent)).toEqual(expect.any(String))
    expect(reasons.get(foreign)).toBe(reasons.get(absent))
    expect(reasons.get(mine)).not.toBe(reasons.get(absent))
    if (role === 'vendor') expect(await rowsOfOthers(db, vendor)).toEqual(before)
  })
})

describe('what a vendor reads', () => {
  const reads = allowed('vendor').filter(([, endpoint]) => endpoint.method === 'GET')

  const tokens = new Map<string, string>()

  test('is the same whatever others have, and what they read is not', { timeout: 120_000 }, async () => {
    // Some answers say until when they count.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    // The calls above have deleted some of it.
    const [world, otherWorld] = [await furnish(db, vendor), await furnish(db, other)]
    for (const id of [vendor, other]) tokens.set(id, await tokenOf({ id, role: 'vendor' }))
    const readAll = async (id: string, rows: World) => {
      const token = tokens.get(id)!
      const answers = new Map<string, string>()
      for (const [name, endpoint] of reads) {
        const { path, query } = namedBy(endpoint)
        const params = Object.fromEntries([...path].map(([field, kind]) => [field, rows[kind]!]))
        const needed = inputSchema(endpoint.query).required ?? []
        const named = [...query].filter(([field]) => needed.includes(field))
        const ids = Object.fromEntries(named.map(([field, kind]) => [field, rows[kind]!]))
        const answer = await send(endpoint, 'vendor', { token, params, query: { ...rangeOf(endpoint), ...ids } })
        answers.set(name, `${answer.statusCode} ${answer.body}`)
      }
      return answers
    }
    const [before, otherBefore] = [await readAll(vendor, world), await readAll(other, otherWorld)]
    expect([...before].filter(([, answer]) => !answer.startsWith('200'))).toEqual([])
    await emptyWorld(db, other)
    const [after, otherAfter] = [await readAll(vendor, world), await readAll(other, otherWorld)]
    const changed = (one: Map<string, string>, two: Map<string, string>) =>
      [...one].filter(([name, answer]) => two.get(name) !== answer).map(([name]) => name)
    expect(changed(before, after).map(name => [name, before.get(name), after.get(name)])).toEqual([])
    // An endpoint that is missing here reads nothing that a vendor has in this test: give it an example in worlds.ts.
    expect(changed(otherBefore, otherAfter)).toEqual(reads.map(([name]) => name))
  })
})

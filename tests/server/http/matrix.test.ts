/**
 * Access, generated from the contract: every endpoint with a handler × every role and none × own, foreign and absent
 * ids. New endpoints are covered as soon as they have a handler.
 */
import { asc, eq, ne, sql } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { BulkResponse, PreviewQuery, type Endpoint } from '../../../src/api/contract/endpoint.ts'
import { events } from '../../../src/api/contract/events.ts'
import { roles, type Role } from '../../../src/domain/roles.ts'
import { startSession } from '../../../server/auth/sessions.ts'
import { newId } from '../../../server/db/id.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { filtrationSystems } from '../../../server/db/schema/filtration.ts'
import { deviceModelVendors } from '../../../server/db/schema/models.ts'
import { handlers } from '../../../server/web/handlers.ts'
import { startServer } from '../support/harness.ts'
import { checksum, rowsOfOthers } from '../support/rows.ts'
import { newEvent, subjectOf } from '../support/subjects.ts'
import { fieldsOf, inputSchema } from '../../../cli/inputSchema.ts'
import { sample, sampleRequest, type Chosen } from '../support/sample.ts'

const { app, db, clock } = await startServer()

const callers = Object.fromEntries(
  await Promise.all(
    roles.map(async role => {
      const [account] = await db.select().from(accounts).where(eq(accounts.login, role))
      return [role, { id: account!.id, role }] as const
    }),
  ),
) as Record<Role, { id: string; role: Role }>

/** Starts a new session for each call, because logout ends its own. */
const tokenOf = async (role: Role) => (await startSession(db, callers[role], clock.now())).access_token

const vendor = callers.vendor.id
const absent = '00:00:00:00:00:00'
/** Returns current devices, because some calls delete them. */
const bssids = async (whose: 'own' | 'foreign') => {
  const scope = whose === 'own' ? eq(devices.vendor_id, vendor) : ne(devices.vendor_id, vendor)
  const rows = await db.select({ bssid: devices.bssid }).from(devices).where(scope).orderBy(asc(devices.bssid)).limit(2)
  return rows.map(({ bssid }) => bssid)
}
const [system] = await db.select().from(filtrationSystems).where(eq(filtrationSystems.vendor_id, vendor)).limit(1)
const [model] = await db.select().from(deviceModelVendors).where(eq(deviceModelVendors.vendor_id, vendor)).limit(1)
/** Values of fields that refer to other rows than the subject. */
const references = {
  model: model!.model_id,
  filtration_system: system!.id,
  group: system!.group_id,
  vendor,
  vendors: [vendor],
  time_zone: 'Europe/Berlin',
}

const implemented = handlers.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const guarded = implemented.filter(([, { roles }]) => roles !== 'public')
const takesOne = ({ path }: Endpoint) => path.includes('{')
const takesMany = ({ response }: Endpoint) => response === BulkResponse
const isBulk = ({ query }: Endpoint) => query === PreviewQuery
/** The endpoints that vendors may call, restricted to their own rows. */
const scoped = guarded.filter(([, { roles }]) => roles.includes('vendor'))
const byDevice = ({ path }: Endpoint) => path.startsWith('/api/v3/devices') && !path.includes('/models')

const send = async (endpoint: Endpoint, role: Role | undefined, chosen: Chosen = {}) => {
  const token = role && (await tokenOf(role))
  // All fields are sent, including optional ones, so that a call that is wrongly accepted changes something.
  const all = fieldsOf(inputSchema(endpoint.body)).filter(([name]) => name !== '_id')
  const values = { ...references, login: `${newId()}@example.com`, devices: await bssids('own') }
  const given: Record<string, unknown> = { ...values, ...chosen.body }
  const body = Object.fromEntries(all.map(([name, field]) => [name, given[name] ?? sample(field)]))
  return app.inject(sampleRequest(endpoint, { ...chosen, params: await partsOf(endpoint), token, body }))
}

/** The other parameters of a path that names a part of the subject: the device of a job's task. */
async function partsOf({ path }: Endpoint): Promise<Record<string, string>> {
  return path.includes('{id}') && path.includes('{bssid}') ? { bssid: (await bssids('own'))[0]! } : {}
}

/** Returns the data of a response, after checking it against the contract. */
function dataOf(endpoint: Endpoint, answer: LightMyRequestResponse): unknown {
  const { data } = answer.json<{ data: unknown }>()
  expect(z.safeParse(endpoint.response as z.ZodMiniType, data).error?.issues).toBeUndefined()
  return data
}

const unchanged = (before: unknown, after: unknown) => expect(after).toEqual(before)

describe('without a session, refuses', () => {
  test.each(guarded)('%s', async (_, endpoint) => {
    expect((await send(endpoint, undefined)).statusCode).toBe(401)
  })
})

describe.each(roles)('%s', role => {
  const refused = guarded.filter(([, endpoint]) => !endpoint.roles.includes(role))
  const allowed = guarded.filter(([, endpoint]) => endpoint.roles.includes(role))

  test('is refused every call of other roles, which changes nothing', async () => {
    const before = await checksum(db)
    const [own] = await bssids('own')
    const passed: string[] = []
    for (const [name, endpoint] of refused) {
      for (const query of isBulk(endpoint) ? [undefined, { preview: 'true' }] : [undefined]) {
        const answer = await send(endpoint, role, { id: own!, body: { ids: [own] }, query })
        if (answer.statusCode !== 403) passed.push(`${name} ${query ? 'previewed' : ''}: ${answer.statusCode}`)
      }
    }
    expect(passed).toEqual([])
    expect(await checksum(db)).toBe(before)
  })

  test.each(allowed)('%s succeeds for own ids', async (_, endpoint) => {
    const own = await subjectOf(db, endpoint, vendor, callers[role].id)
    const others = await rowsOfOthers(db, vendor)
    const answer = await send(endpoint, role, { id: own, body: { ids: [own] } })
    expect([401, 403, 404]).not.toContain(answer.statusCode)
    expect(answer.statusCode).toBeLessThan(500)
    if (answer.statusCode < 300) dataOf(endpoint, answer)
    if (role === 'vendor') unchanged(others, await rowsOfOthers(db, vendor))
  })

  const one = allowed.filter(([, endpoint]) => takesOne(endpoint))
  test.each(one)('%s returns 404 for an absent id', async (_, endpoint) => {
    const before = await checksum(db)
    expect((await send(endpoint, role, { id: absent })).statusCode).toBe(404)
    expect(await checksum(db)).toBe(before)
  })

  const many = allowed.filter(([, endpoint]) => takesMany(endpoint))
  test.each(many)('%s reports each absent id as failed', async (_, endpoint) => {
    const before = await checksum(db)
    const answer = await send(endpoint, role, { body: { ids: [absent, 'nonsense'] } })
    expect(answer.statusCode).toBe(200)
    const { count, total, failed } = dataOf(endpoint, answer) as BulkResponse
    expect({ count, total }).toEqual({ count: 0, total: 2 })
    expect(failed.map(({ id }) => id).toSorted()).toEqual([absent, 'nonsense'])
    expect(await checksum(db)).toBe(before)
  })
})

describe('a vendor', () => {
  test.each([events.create, events.delete].map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s with a foreign id is answered like an absent one',
    async (_, endpoint) => {
      const [foreign] = await bssids('foreign')
      const id = await newEvent(db, [foreign!])
      const before = await checksum(db)
      const [refused, missing] = [
        await send(endpoint, 'vendor', { id, body: { devices: [foreign] } }),
        await send(endpoint, 'vendor', { id: absent, body: { devices: [absent] } }),
      ]
      expect(refused.statusCode).toBe(404)
      expect(refused.body.replace(foreign!, absent)).toBe(missing.body)
      expect(await checksum(db)).toBe(before)
    },
  )

  const one = scoped.filter(([, endpoint]) => byDevice(endpoint) && takesOne(endpoint))
  test.each(one)('%s answers a foreign id like an absent one', async (_, endpoint) => {
    const before = await checksum(db)
    const [foreign] = await bssids('foreign')
    const answer = await send(endpoint, 'vendor', { id: foreign! })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toBe((await send(endpoint, 'vendor', { id: absent })).body)
    expect(await checksum(db)).toBe(before)
  })

  const many = scoped.filter(([, endpoint]) => byDevice(endpoint) && takesMany(endpoint))
  test.each(many)('%s with mixed ids changes only own rows', async (_, endpoint) => {
    const [[own], [foreign]] = await Promise.all([bssids('own'), bssids('foreign')])
    const before = await rowsOfOthers(db, vendor)
    const whole = await checksum(db)
    const body = { ids: [foreign, own, absent] }
    const previewed = await send(endpoint, 'vendor', { body, query: { preview: 'true' } })
    expect(await checksum(db)).toBe(whole)
    const answer = await send(endpoint, 'vendor', { body })
    expect(answer.statusCode).toBe(200)
    expect(dataOf(endpoint, answer)).toMatchObject(dataOf(endpoint, previewed) as BulkResponse)
    const { count, total, failed } = dataOf(endpoint, answer) as BulkResponse
    expect(total).toBe(3)
    expect(count + failed.length).toBe(3)
    const reasons = new Map(failed.map(({ id, message }) => [id, message]))
    expect(reasons.has(foreign!)).toBe(true)
    expect(reasons.get(foreign!)).toBe(reasons.get(absent))
    expect(await rowsOfOthers(db, vendor)).toEqual(before)
  })

  const lists = scoped.filter(([, endpoint]) => endpoint.columns && byDevice(endpoint))
  test.each(lists)('%s lists only own rows', async (_, endpoint) => {
    const { data, count } = dataOf(endpoint, await send(endpoint, 'vendor')) as { data: object[]; count: number }
    expect(count).toBe(await db.$count(devices, eq(devices.vendor_id, vendor)))
    expect(data.length).toBeGreaterThan(0)
    for (const row of data) expect(row).toMatchObject({ vendor: { _id: vendor } })
  })
})

test('every role has a caller, and the fleet has own and foreign devices', async () => {
  expect(Object.keys(callers)).toEqual([...roles])
  expect(await db.$count(devices, sql`true`)).toBeGreaterThan(20)
})

/** What one vendor changes, or what is changed for it, sends nothing to the streams of other vendors. */
import type { AddressInfo } from 'node:net'
import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../server/db/id.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import {
  cartridgeTypes,
  filtrationSystemCartridges,
  filtrationSystemGroups,
  filtrationSystems,
} from '../../../server/db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../../server/db/schema/models.ts'
import { notifications } from '../../../server/db/schema/notifications.ts'
import { publishDevices } from '../../../server/devices/ingest/publishDevices.ts'
import { startServer } from '../support/harness.ts'
import { sendFile } from '../support/calls/sendFile.ts'
import { listen, type StreamReader } from '../support/calls/streamReader.ts'
import { until } from '../../support/until.ts'

const { app, db, bus, call, clock, signIn } = await startServer({ intervals: { flushInterval: 20 } })
const times = { created_at: clock.now(), updated_at: clock.now() }
const tokens: Record<string, string> = {}
const vendors: Record<string, string> = {}
const logins = ['vendor', 'vendor2'] as const
type Login = (typeof logins)[number]
/** The rows that only one vendor sees. */
interface Owned {
  device: string
  spare: string
  model: string
  system: string
  group: string
  type: string
}
const owned: Partial<Record<Login, Owned>> = {}

beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const login of ['admin', ...logins]) {
    const { access_token, user_id } = await signIn(login)
    tokens[login] = access_token
    vendors[login] = user_id
  }
  for (const login of logins) owned[login] = await createOwned(login)
})

async function createOwned(login: Login): Promise<Owned> {
  const vendor_id = vendors[login]!
  const [group, type, system, model] = [newId(), newId(), newId(), newId()]
  await db.insert(filtrationSystemGroups).values({ id: group, name: `Group of ${login}`, ...times })
  await db
    .insert(cartridgeTypes)
    .values({ id: type, model: `Type of ${login}`, type: 0, resource: 100, ttl: 30, name: 'Test', ...times })
  await db
    .insert(filtrationSystems)
    .values({ id: system, model: `System of ${login}`, group_id: group, vendor_id, ...times })
  await db
    .insert(filtrationSystemCartridges)
    .values({ filtration_system_id: system, position: 0, cartridge_type_id: type })
  await db.insert(deviceModels).values({
    id: model,
    platform: 'esp32',
    name: `Model of ${login}`,
    owner_id: vendor_id,
    capabilities: [],
    bypass_flow_rates: [0, 1, 2, 3],
    ...times,
  })
  await db.insert(deviceModelVendors).values({ model_id: model, vendor_id })
  const [device, spare] = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(eq(devices.vendor_id, vendor_id))
    .orderBy(asc(devices.bssid))
    .limit(2)
  return { device: device!.bssid, spare: spare!.bssid, model, system, group, type }
}

const send = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: object, as = 'admin') => {
  const answer = await call(method, path, { token: tokens[as]!, body })
  expect(answer.statusCode, answer.body).toBe(200)
}
const event = { title: 'Visit', description: '', start: '2031-05-05T08:00:00Z', end: '2031-05-05T09:00:00Z' }
const modelOf = ({ model }: Owned, login: Login) => ({
  _id: model,
  platform: 'esp32',
  name: `Model of ${login}`,
  capabilities: ['flush'],
  bypass_flow_rates: [0, 1, 2, 3],
  vendors: [vendors[login]],
})
let serial = 0

/** Changes of one vendor's rows, and the events that its own stream then receives. */
const changes: readonly (readonly [what: string, (own: Owned, login: Login) => Promise<unknown>, events: string[]])[] =
  [
    ['a device', ({ device }) => send('PUT', `/api/v3/devices/${device}`, { description: 'x' }), ['devices']],
    ['the readings of a device', async ({ device }) => publishDevices(bus, [device]), ['devices']],
    [
      'a notification',
      async ({ device }, login) => {
        const id = newId()
        const created_at = clock.now()
        const row = { id, bssid: device, vendor_id: vendors[login]!, type: 'leak' as const, created_at, values: {} }
        await db.insert(notifications).values(row)
        bus.publish({ kind: 'notifications', ids: [id] })
      },
      ['notifications'],
    ],
    [
      'a job',
      ({ device }, login) =>
        send('PUT', '/api/v3/devices/time-zone', { ids: [device], time_zone: 'Asia/Tokyo' }, login),
      ['devices'],
    ],
    ['a calendar event', ({ device }) => send('POST', '/api/v3/events', { ...event, devices: [device] }), ['changed']],
    [
      'uploaded devices',
      async (_, login) => {
        const bssid = `6C:00:00:00:00:${String(10 + serial++)}`
        const file = `bssid,platform,model,filtration_system,vendor,description\n${bssid},esp32,RO-400 Home,,${login},`
        expect((await sendFile(call, '/api/v3/devices/file', tokens['admin']!, file)).status).toBe(200)
      },
      ['changed'],
    ],
    ['a deleted device', ({ spare }) => send('DELETE', '/api/v3/devices', { ids: [spare] }), ['changed']],
    ['a model', (own, login) => send('POST', '/api/v3/devices/models', modelOf(own, login), login), ['changed']],
    [
      'a filtration system',
      ({ system }) => send('PUT', `/api/v3/filtration-systems/${system}`, { flushing: true }),
      ['changed'],
    ],
    [
      'a group',
      ({ group }, login) => send('PUT', `/api/v3/filtration-system-groups/${group}`, { name: `Renamed of ${login}` }),
      ['changed'],
    ],
    ['a cartridge type', ({ type }) => send('PUT', `/api/v3/cartridge-types/${type}`, { ttl: 60 }), ['changed']],
    [
      'a filtration system assigned to nobody',
      ({ system }) => send('PUT', '/api/v3/filtration-systems/vendor', { ids: [system], vendor: null }),
      ['changed'],
    ],
    ['a deleted model', ({ model }) => send('DELETE', '/api/v3/devices/models', { ids: [model] }), ['changed']],
    [
      'its company name, changed by an administrator',
      (_, login) => send('PATCH', `/api/v3/vendors/${vendors[login]}`, { company_name: `Company of ${login}` }),
      ['changed'],
    ],
    [
      'its profile',
      (_, login) => send('PATCH', '/api/v3/vendors/me/profile', { first_name: 'Lena' }, login),
      ['changed'],
    ],
  ]

const eventsOf = ({ received }: StreamReader) => received.map(({ event: name }) => name).filter(name => name !== 'ping')

test.each(changes)('%s: only the vendor’s own stream receives an event', async (_, change, events) => {
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  for (const [login, other] of [logins, logins.toReversed()] as [Login, Login][]) {
    const [own, foreign] = [await listen(url, tokens[login]!), await listen(url, tokens[other]!)]
    await change(owned[login]!, login)
    await until(() => expect(new Set(eventsOf(own))).toEqual(new Set(events)))
    // Shows that nothing else was sent before.
    bus.publish({ kind: 'seen', accounts: [vendors[other]!] })
    await until(() => expect(eventsOf(foreign)).toEqual(['seen']))
  }
})

test('what no vendor uses is sent to none', async () => {
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const [admin, vendor] = [await listen(url, tokens['admin']!), await listen(url, tokens['vendor']!)]
  const upload = async (path: string, file: string) =>
    expect((await sendFile(call, path, tokens['admin']!, file)).status).toBe(200)
  await upload('/api/v4/filtration-system-groups/file', 'name\nUnused')
  await upload(
    '/api/v3/cartridge-types/file',
    'model,type,resource,ttl,name,description,purchase_url,image_url\nUnused,membrane,100,30,Test,,,',
  )
  const names = { first_name: 'A', last_name: 'B', company_name: 'C', company_address: 'D' }
  await send('POST', '/api/v3/vendors', { login: 'newcomer', password: 'a long new password', ...names })
  await until(() => {
    const heard = admin.of('changed').flatMap(({ resources }) => resources)
    expect(heard).toEqual(expect.arrayContaining(['filtration-system-groups', 'cartridge-types', 'vendors']))
  })
  bus.publish({ kind: 'seen', accounts: [vendors['vendor']!] })
  await until(() => expect(eventsOf(vendor)).toEqual(['seen']))
  const [created] = await db.select().from(accounts).where(eq(accounts.login, 'newcomer'))
  expect(created).toBeDefined()
})

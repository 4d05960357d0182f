/** Bulk calls: a dry run returns the later result, and the previous values undo a call. */
import { count, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { devices as contract, type Device } from '../../../../src/api/contract/devices.ts'
import { settingEndpoints } from '../../../../src/api/contract/settings.ts'
import { PreviewQuery, type BulkResponse, type Endpoint } from '../../../../src/api/contract/endpoint.ts'
import { endpoints } from '../../../../src/api/contract/all/endpoints.ts'
import { admins, users, vendors } from '../../../../src/api/contract/accounts.ts'
import { filtrationSystems as systemsContract } from '../../../../src/api/contract/filtration.ts'
import { models as modelsContract } from '../../../../src/api/contract/models.ts'
import { accountRoles, type AccountRole } from '../../../../src/domain/roles.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { audit } from '../../../../server/db/schema/audit.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { filtrationSystems } from '../../../../server/db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../../../server/db/schema/models.ts'
import { startServer } from '../../support/harness.ts'
import { checksum } from '../../support/database/rows.ts'
import { inputSchema } from '../../../../cli/inputSchema.ts'
import { newAccount } from '../../support/subjects.ts'
import { setStatus } from '../../support/devices/deviceRows.ts'

const { call, db, bus, link, signIn } = await startServer()
const vendor = await signIn('vendor')
type Login = 'superadmin' | 'admin' | 'vendor'

const idsIn = async (table: typeof accounts | typeof deviceModels | typeof filtrationSystems) =>
  (await db.select({ id: table.id }).from(table)).map(({ id }) => id)
const whose = async (own: boolean) =>
  (await db.select({ bssid: devices.bssid, vendor: devices.vendor_id }).from(devices))
    .filter(one => (one.vendor === vendor.user_id) === own)
    .map(({ bssid }) => bssid)
const own = await whose(true)
const [foreign] = await whose(false)
const absent = '00:00:00:00:00:00'
const offered = (
  await db.select().from(deviceModelVendors).where(eq(deviceModelVendors.vendor_id, vendor.user_id))
).map(({ model_id }) => model_id)
const assigned = (await db.select().from(filtrationSystems).where(eq(filtrationSystems.vendor_id, vendor.user_id))).map(
  ({ id }) => id,
)

async function send(endpoint: Endpoint, login: Login, body: object, preview = false) {
  const { access_token: token } = await signIn(login)
  const answer = await call(endpoint.method, `${endpoint.path}${preview ? '?preview=true' : ''}`, { token, body })
  return { status: answer.statusCode, ...answer.json<{ data?: BulkResponse; message?: string }>() }
}

/** Generated values for each call. */
const flush = fc
  .record(
    {
      smart: fc.constantFrom('save_water', 'balanced', 'save_membrane', null),
      mode: fc.constantFrom(0, 1, 2),
      frequency: fc.constantFrom(2, 5, 10, 20),
      duration: fc.constantFrom(9, 18, 36),
      volume: fc.constantFrom(0, 2.5, 100),
    },
    { requiredKeys: [] },
  )
  .filter(values => Object.keys(values).length > 0)
const bypass = fc.oneof(
  fc.record({ smart: fc.constantFrom(0, 1, 2), state: fc.constantFrom(0, 1, 2, 3) }),
  fc.record({ state: fc.constantFrom(0, 1, 2, 3) }),
)
type Values = Readonly<Record<string, unknown>>
/** Each settings call with generated values, and a function that returns a device's current values by the call's names. */
const settings: readonly (readonly [Endpoint, fc.Arbitrary<Values>, (device: Device) => Values])[] = [
  [contract.lock, fc.record({ locked: fc.boolean() }), ({ locked }) => ({ locked })],
  [contract.setValve, fc.record({ valve_closed: fc.boolean() }), ({ valve_closed }) => ({ valve_closed })],
  [settingEndpoints.set_flush, flush, device => device.flush],
  [
    settingEndpoints.set_idle_protection,
    fc.record({ duration: fc.constantFrom(0, 30, 60, 90, 120) }),
    device => ({ duration: device.idle_protection }),
  ],
  [settingEndpoints.set_bypass, bypass, device => device.bypass],
  [settingEndpoints.set_uv, fc.record({ mode: fc.constantFrom(0, 1) }), ({ uv }) => ({ mode: uv })],
  [
    contract.setTimeZone,
    fc.record({ time_zone: fc.constantFrom('Asia/Kathmandu', 'Europe/Oslo', null) }),
    ({ time_zone }) => ({ time_zone }),
  ],
  [
    contract.setWaterSupply,
    fc.record({ water_supply: fc.constantFrom('Harbour main', 'Hill', null) }),
    ({ water_supply }) => ({ water_supply }),
  ],
  [contract.setModel, fc.record({ model: fc.constantFrom(...offered) }), ({ model }) => ({ model: model._id })],
  [
    contract.setFiltrationSystem,
    fc.record({ filtration_system: fc.constantFrom(...assigned) }),
    device => ({ filtration_system: device.filtration_system?._id ?? null }),
  ],
]
const some = fc.subarray([...own, foreign!, absent, 'nonsense', own[0]!.toLowerCase()], { minLength: 1 })

const devicesById = async () => {
  const { access_token: token } = await signIn('admin')
  const answer = await call('GET', '/api/v3/devices?limit=1000', { token })
  return new Map(answer.json<{ data: { data: Device[] } }>().data.data.map(device => [device.bssid, device]))
}
const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.filter(name => name in values).map(name => [name, values[name]]))

describe('a call returns the previous values of each device, which undo it', () => {
  test.each(settings.map(one => [one[0].path, ...one] as const))('%s', async (_, endpoint, values, of) => {
    await fc.assert(
      fc.asyncProperty(some, values, async (ids, wanted) => {
        const devicesBefore = await devicesById()
        const { data } = await send(endpoint, 'vendor', { ids, ...wanted })
        const failed = new Set(data!.failed.map(({ id }) => id))
        const previous = data!.before!.flatMap(group => group.ids.map(id => [id, group.values] as const))
        const done = [...new Set(ids.map(id => (id.includes(':') ? id.toUpperCase() : id)))].filter(
          id => !failed.has(id),
        )
        const changedIds = new Set(previous.map(([id]) => id))
        expect(done).toEqual(expect.arrayContaining([...changedIds]))
        // A device that had the values already needs no previous ones.
        for (const id of done) if (!changedIds.has(id)) expect(of(devicesBefore.get(id)!)).toMatchObject(wanted)
        for (const [id, earlier] of previous)
          expect(earlier).toEqual(pick(of(devicesBefore.get(id)!), Object.keys(wanted)))
        const devicesSet = await devicesById()
        for (const id of done) expect(of(devicesSet.get(id)!)).toMatchObject(wanted)

        for (const group of data!.before!)
          expect(await send(endpoint, 'vendor', { ids: group.ids, ...group.values })).toMatchObject({
            status: 200,
            data: { failed: [] },
          })
        const devicesAfter = await devicesById()
        for (const id of done) expect(of(devicesAfter.get(id)!)).toEqual(of(devicesBefore.get(id)!))
      }),
      { numRuns: 6, seed: 20_261_120 },
    )
  })
})

test('previous values are right even if a device reports its new state before it acknowledges', async () => {
  const { send: quiet } = link
  const [bssid] = own
  const of = eq(devices.bssid, bssid!)
  await setStatus(db, 0, [bssid!])
  await db.update(devices).set({ locked: false, model_id: offered[0]! }).where(of)
  link.send = async (to, command) => {
    await db.update(devices).set({ locked: true }).where(eq(devices.bssid, to))
    return quiet(to, command)
  }
  try {
    const { data } = await send(contract.lock, 'vendor', { ids: [bssid], locked: true })
    expect(data).toMatchObject({ count: 1, before: [{ ids: [bssid], values: { locked: false } }] })
  } finally {
    link.send = quiet
  }
})

/** The bulk endpoints; those that delete are tested last. */
const deleting = endpoints.filter(({ query, method }) => query === PreviewQuery && method === 'DELETE')
const changing = endpoints.filter(({ query, method }) => query === PreviewQuery && method !== 'DELETE')
const defaultValues: Values = {
  locked: true,
  valve_closed: true,
  frequency: 10,
  duration: 30,
  state: 2,
  mode: 1,
  time_zone: 'Asia/Kathmandu',
  water_supply: 'Harbour main',
  model: offered[0],
  filtration_system: assigned[0],
  vendor: vendor.user_id,
  scope: 'settings',
  status: true,
  version: '0.0.1',
}
const ownValues = new Map<Endpoint, Values>([[settingEndpoints.set_flush, { frequency: 10 }]])
async function subjects(endpoint: Endpoint): Promise<readonly string[]> {
  const fresh = async (role: AccountRole) => [
    await newAccount(db, role),
    await newAccount(db, role, { blocked: true }),
    // An account of each other role, which is not found.
    ...(await Promise.all(accountRoles.filter(one => one !== role).map(one => newAccount(db, one)))),
  ]
  const unused = new Map<Endpoint, readonly string[]>([
    [admins.changeStatusOfMany, await fresh('admin')],
    [vendors.changeStatusOfMany, await fresh('vendor')],
    [users.changeStatusOfMany, await fresh('user')],
    [admins.delete, await fresh('admin')],
    [vendors.delete, [await newAccount(db, 'vendor'), ...(await idsIn(accounts))]],
    [users.deleteMany, await fresh('user')],
  ])
  if (endpoint === modelsContract.delete) return [...(await idsIn(deviceModels)), absent]
  if (endpoint.path.startsWith(systemsContract.list.path)) return [...(await idsIn(filtrationSystems)), absent]
  const those = unused.get(endpoint)
  if (those) return [...those, absent]
  // Only some are deleted, so that the other tests have devices.
  return [...(endpoint === contract.delete ? own.slice(0, 2) : own), foreign!, absent, 'nonsense']
}

describe('a preview returns what the call then does, and changes nothing', () => {
  const cases = [...changing, ...deleting].flatMap(endpoint =>
    (endpoint.roles as readonly Login[]).map(role => [`${endpoint.method} ${endpoint.path}`, role, endpoint] as const),
  )

  test.each(cases)('%s by %s', async (_, role, endpoint) => {
    const fields = Object.keys(inputSchema(endpoint.body).properties ?? {})
    const body = { ids: await subjects(endpoint), ...(ownValues.get(endpoint) ?? pick(defaultValues, fields)) }
    const audited = async () => (await db.select({ n: count() }).from(audit))[0]!.n
    await signIn(role)
    const before = [await checksum(db), await audited(), link.sent.length]
    const published: unknown[] = []
    const stop = bus.subscribe(event => published.push(event))
    const previewed = await send(endpoint, role, body, true)
    stop()
    expect([await checksum(db), await audited(), link.sent.length]).toEqual(before)
    expect(published).toEqual([])

    const { data, ...rest } = await send(endpoint, role, body)
    const { before: replaced, ...answer } = data ?? {}
    expect(previewed).toEqual({ ...rest, ...(data && { data: answer }) })
    const refused = new Set(data?.failed.map(({ id }) => id))
    for (const id of replaced?.flatMap(({ ids }) => ids) ?? []) expect(refused).not.toContain(id)
    if (data) expect(data.failed.map(({ id }) => id)).toContain(absent)
    expect(await audited()).toBe(Number(before[1]) + 1)
  })
})

test('a preview has the reasons that are known before a command is sent', async () => {
  const [offline, updating] = own.slice(-2)
  await setStatus(db, 3, [offline!])
  await setStatus(db, 6, [updating!])
  const { data } = await send(contract.reboot, 'vendor', { ids: [offline, updating, foreign] }, true)
  expect(data!.failed).toEqual([
    { id: offline, message: 'Device is offline' },
    { id: updating, message: 'Device is updating its firmware' },
    { id: foreign, message: 'Device not found' },
  ])
})

test.each(['maybe', 'TRUE', ''])('preview=%s is refused, and the call does not run', async preview => {
  const { access_token: token } = await signIn('admin')
  const before = link.sent.length
  const answer = await call('POST', `/api/v3/devices/flush?preview=${preview}`, { token, body: { ids: [own.at(-3)] } })
  expect(answer.statusCode).toBe(400)
  expect(link.sent.length).toBe(before)
})

test('a call without a preview runs and is recorded also with preview=true', async () => {
  const { access_token: token } = await signIn('admin')
  const url = `/api/v3/devices/${own.at(-3)}?preview=true`
  const before = await db.$count(audit)
  expect((await call('PUT', url, { token, body: { description: 'Changed' } })).statusCode).toBe(200)
  expect(await db.$count(audit)).toBe(before + 1)
})

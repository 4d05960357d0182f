/** The water analyses of supplies: who may set them, what they refuse, and what they say about a device. */
import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import type { AnalysedSupply } from '../../../../src/api/contract/health/water.ts'
import type { DeviceHealth } from '../../../../src/api/contract/health/device.ts'
import type { HealthSummary } from '../../../../src/api/contract/health/fleet.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { supplyWaters } from '../../../../server/db/schema/supplies.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay, type Course } from '../../support/health/healthSamples.ts'
import { day } from '../../support/devices/readingSamples.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = {
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
  admin: (await signIn('admin')).access_token,
}
type Caller = keyof typeof tokens
const now = noonOf(clock.now())
const today = utcDay(now)

const vendor = demoId('account vendor')
const bssidsOf = async (condition: ReturnType<typeof eq>) =>
  (await db.select({ bssid: devices.bssid }).from(devices).where(condition).orderBy(asc(devices.bssid)).limit(4)).map(
    ({ bssid }) => bssid,
  )
const own = (await bssidsOf(eq(devices.vendor_id, vendor))) as [string, string, string, string]
const [foreign] = (await bssidsOf(ne(devices.vendor_id, vendor))) as [string]
const labelled = async (bssid: string, label: string | null) =>
  db.update(devices).set({ water_supply: label }).where(eq(devices.bssid, bssid))
await labelled(own[0], 'Lindsø')
await labelled(own[1], 'LINDSØ')
await labelled(own[2], 'Harbour')
await labelled(own[3], null)
await labelled(foreign, 'Lindsø')
beforeEach(() => db.delete(supplyWaters))

const hard = { calcium_hardness: 280, alkalinity: 220, ph: 7.7 }
const soft = { calcium_hardness: 25, alkalinity: 30, ph: 7 }

const put = (by: Caller, body: object, query = '') =>
  call('PUT', `/api/v3/devices/water-supply/analysis${query}`, { token: tokens[by], body })
const set = async (by: Caller, body: object, query = '') =>
  (await put(by, body, query)).json<{ data: BulkResponse }>().data
const get = async <Data>(by: Caller, path: string) =>
  (await call('GET', path, { token: tokens[by] })).json<{ data: Data }>().data
const healthOf = (by: Caller, bssid: string) => get<DeviceHealth>(by, `/api/v3/devices/${bssid}/health`)

test('an analysis counts for all devices of the supply, however its label is written, and for no other vendor', async () => {
  const response = await set('vendor', { ids: [own[0]], water: hard })
  expect(response).toMatchObject({ count: 1, total: 1, failed: [] })
  for (const bssid of [own[0], own[1]])
    expect((await healthOf('vendor', bssid)).water).toMatchObject({ ...hard, login: 'vendor' })
  expect((await healthOf('vendor', own[2])).water).toBeNull()
  expect((await healthOf('admin', foreign)).water).toBeNull()
  await set('vendor', { ids: [own[1]], water: soft })
  expect(await db.select().from(supplyWaters)).toMatchObject([{ vendor_id: vendor, ...soft }])
})

test('devices without a supply, foreign devices and unknown ones fail alike in a preview, which changes nothing', async () => {
  const body = { ids: [own[0], own[3], foreign, '00:00:00:00:00:00'], water: hard }
  const failed = [
    { id: own[3], message: 'The device has no water supply' },
    { id: foreign, message: 'Device not found' },
    { id: '00:00:00:00:00:00', message: 'Device not found' },
  ]
  expect(await set('vendor', body, '?preview=true')).toEqual({ count: 1, total: 4, failed })
  expect(await db.$count(supplyWaters)).toBe(0)
  expect(await set('vendor', body)).toMatchObject({ count: 1, total: 4, failed })
  expect(await db.$count(supplyWaters)).toBe(1)
})

test('an administrator sets those of all vendors, and each supply keeps its own', async () => {
  await set('admin', { ids: [own[0], own[2], foreign], water: hard })
  expect(await db.$count(supplyWaters)).toBe(3)
  const labels = async (by: Caller, query = '') =>
    (await get<AnalysedSupply[]>(by, `/api/v3/health/supplies${query}`)).map(each => each.water_supply)
  expect(await labels('admin')).toHaveLength(3)
  expect(await labels('vendor')).toEqual(['Harbour', 'Lindsø'])
  expect(await labels('vendor', '?search=LINDSØ')).toEqual(['Lindsø'])
  const [analysed] = await get<AnalysedSupply[]>('vendor', '/api/v3/health/supplies?limit=1')
  expect(analysed).toMatchObject({ vendor: { _id: vendor }, water: { ...hard, login: 'admin' } })
})

test('the overview shows the analyses of each supply', async () => {
  await set('admin', { ids: [own[0], foreign], water: hard })
  const groups = async (by: Caller) =>
    (await get<HealthSummary>(by, '/api/v3/health/summary?by=supply')).groups.filter(({ key }) => /^lindsø$/i.test(key))
  // One supply, although its label is written in two ways.
  expect((await groups('vendor')).map(({ analyses }) => analyses?.length)).toEqual([1])
  expect((await groups('admin'))[0]!.analyses).toHaveLength(2)
})

test('the same call with the earlier values undoes it, unless the device is on another supply', async () => {
  const ids = [own[0], own[2]]
  const first = await set('vendor', { ids, water: hard })
  expect(first.before).toEqual([
    { ids: [own[0]], values: { water: null, water_supply: 'Lindsø' } },
    { ids: [own[2]], values: { water: null, water_supply: 'Harbour' } },
  ])
  const second = await set('vendor', { ids: [own[0]], water: soft })
  expect(second.before).toEqual([{ ids: [own[0]], values: { water: hard, water_supply: 'Lindsø' } }])
  await set('vendor', { ids: [own[0]], ...second.before![0]!.values })
  expect((await healthOf('vendor', own[0])).water).toMatchObject(hard)
  await set('vendor', { ids: [own[0]], ...first.before![0]!.values })
  expect((await healthOf('vendor', own[0])).water).toBeNull()
  expect((await healthOf('vendor', own[2])).water).toMatchObject(hard)

  const moved = await set('vendor', { ids: [own[2], own[1]], water: soft, water_supply: 'lindsø' })
  expect(moved.failed).toEqual([{ id: own[2], message: 'The device is on another supply' }])
  expect((await healthOf('vendor', own[2])).water).toMatchObject(hard)
})

test('the history tells who changed what', async () => {
  await set('vendor', { ids: [own[0]], water: hard })
  const entries = await get<{ data: { title: string; login: string }[] }>('admin', '/api/v3/audit?limit=1')
  expect(entries.data[0]).toMatchObject({ title: 'Changed water analysis of supplies', login: 'vendor' })
})

describe('an analysis that cannot be is refused, and the response says why', () => {
  test.each([
    [{ ...hard, ph: 3.9 }, 'Water ph must be greater than or equal to 4'],
    [{ ...hard, ph: 11.1 }, 'Water ph must be less than or equal to 11'],
    [{ ...hard, calcium_hardness: -1 }, 'Water calcium hardness must be greater than or equal to 0'],
    [{ ...hard, calcium_hardness: 2001 }, 'Water calcium hardness must be less than or equal to 2000'],
    [{ ...hard, alkalinity: -0.1 }, 'Water alkalinity must be greater than or equal to 0'],
    [{ ...hard, alkalinity: '220' }, 'Water alkalinity must be a number'],
    [{ calcium_hardness: 280, ph: 7 }, 'Water alkalinity is required'],
    [{ ...hard, colour: 'blue' }, 'Unknown field: colour'],
  ])('%o', async (water, message) => {
    const response = await put('vendor', { ids: [own[0]], water })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ message })
    expect(await db.$count(supplyWaters)).toBe(0)
  })
})

describe('what the water says about a device', () => {
  const [bssid] = own
  /** Flow is lost and salt passes, less than scaling would let through: fouling and scaling are both possible. */
  const ambiguous: Course = index => {
    const lost = index < 70 ? 0 : 0.006 * (index - 70)
    return { a: -lost, b: 0.18 * lost, r: -0.12 * lost }
  }
  const scalingShare = async () => {
    await stepDevices(db, [bssid], now)
    const { findings } = await healthOf('vendor', bssid)
    const { cause, confidence, alternatives } = findings.find(({ state }) => state === 'open')!
    return cause === 'scaling' ? confidence : (alternatives.find(each => each.cause === 'scaling')?.confidence ?? 0)
  }

  test('hard water makes scaling likelier, soft water less likely', async () => {
    await storeDays(db, bssid, { days: 110, today, course: ambiguous })
    await stepDevices(db, [bssid], now)
    const unknown = await scalingShare()
    await set('vendor', { ids: [own[1]], water: hard })
    const onHard = await scalingShare()
    await set('vendor', { ids: [own[1]], water: soft })
    const onSoft = await scalingShare()
    expect(unknown).toBeGreaterThan(5)
    expect(onHard).toBeGreaterThan(unknown + 5)
    expect(onSoft).toBeLessThan(unknown / 2)
  })

  test('the index is at its own recovery and temperature', async () => {
    await set('vendor', { ids: [bssid], water: hard })
    const { scaling } = await healthOf('vendor', bssid)
    expect(scaling).toMatchObject({ temperature: 15, recovery: 0.4 })
    expect(scaling!.tds).toBeGreaterThan(300)
    expect(scaling!.indices!.feed).toBeLessThan(scaling!.indices!.concentrate)
    expect(scaling!.indices!.concentrate).toBeGreaterThan(0)
    await set('vendor', { ids: [bssid], water: soft })
    expect((await healthOf('vendor', bssid)).scaling!.indices!.concentrate).toBeLessThan(0)
    // A device that is still unknown has none.
    expect((await healthOf('vendor', own[1])).scaling).toBeNull()
  })

  test('a change lets the next step of devices with findings be due at once, and of no others', async () => {
    await stepDevices(db, [...own], now)
    const due = async () => {
      const rows = await db
        .select()
        .from(deviceHealth)
        .where(inArray(deviceHealth.bssid, [...own]))
      return rows.filter(row => row.due_at <= clock.now()).map(row => row.bssid)
    }
    await db
      .update(deviceHealth)
      .set({ due_at: new Date(clock.now().getTime() + day) })
      .where(and(inArray(deviceHealth.bssid, [...own])))
    await set('vendor', { ids: [own[1]], water: hard })
    expect(await due()).toEqual([bssid])
  })
})

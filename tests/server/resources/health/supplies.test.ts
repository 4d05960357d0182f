/** A change that the devices of a supply share is told once, for the supply, and is no finding of its devices. */
import { asc, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Finding } from '../../../../src/api/contract/findings.ts'
import type { SupplyChange } from '../../../../src/api/contract/health/fleet.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceTwins } from '../../../../server/db/schema/telemetry.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { supplyChanges } from '../../../../server/db/schema/supplies.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay, type Course } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
}
const now = noonOf(clock.now())
const today = utcDay(now)

/** Returns devices of a demo vendor, after skipping some. */
async function devicesOf(vendor: string, { skip = 0, count }: { skip?: number; count: number }): Promise<string[]> {
  const found = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(eq(devices.vendor_id, demoId(`account ${vendor}`)))
    .orderBy(asc(devices.bssid))
    .offset(skip)
    .limit(count)
  return found.map(({ bssid }) => bssid)
}

const supply = await devicesOf('vendor', { count: 8 })
await db.update(devices).set({ water_supply: 'Lindsø' }).where(inArray(devices.bssid, supply))
// The first step learns which supply they are on.
await stepDevices(db, supply, now)
for (const bssid of supply)
  await storeDays(db, bssid, { days: 80, today, course: index => ({ f: index < 70 ? 0 : Math.log(1.6) }) })
await stepDevices(db, supply, now)

const get = async <Data>(by: keyof typeof tokens, path: string) =>
  (await call('GET', path, { token: tokens[by] })).json<{ data: Data }>().data

test('a change of the feed water is told once, and is no finding of a device', async () => {
  const changes = await get<SupplyChange[]>('vendor', '/api/v3/health/incidents')
  expect(changes).toMatchObject([
    { water_supply: 'Lindsø', cause: 'feed_water', ended_at: null, devices: 8, bssids: null },
  ])
  expect(Math.abs(changes[0]!.change - 60)).toBeLessThan(4)
  expect(Math.abs(Date.parse(changes[0]!.began_at) / day - (today - 10))).toBeLessThan(3)
  const findings = await get<{ data: Finding[] }>('vendor', '/api/v3/health/findings')
  expect(findings.data).toEqual([])
})

test('a change is told when it is found; one that an older day showed is told as of that day', async () => {
  const tenDays = await db.select().from(supplyChanges)
  const [{ began_at, told_at }] = tenDays as [(typeof tenDays)[number]]
  expect(told_at.getTime()).toBeGreaterThan(began_at.getTime())
  expect(told_at.getTime()).toBeLessThan(began_at.getTime() + 5 * day)
  const hill = await devicesOf('vendor2', { count: 6 })
  await db.update(devices).set({ water_supply: 'Hill' }).where(inArray(devices.bssid, hill))
  await stepDevices(db, hill, now)
  const changed = Math.log(1.6)
  for (const bssid of hill)
    await storeDays(db, bssid, { days: 80, today, course: index => ({ f: index < 76 ? 0 : changed }) })
  await stepDevices(db, hill, now)
  const notifiedAt = async () =>
    (await get<SupplyChange[]>('other', '/api/v3/health/incidents')).map(one => one.told_at)
  expect(await notifiedAt()).toEqual([now.toISOString()])
  for (const bssid of hill) await storeDays(db, bssid, { days: 1, today: today + 1, course: () => ({ f: changed }) })
  await stepDevices(db, hill, new Date(now.getTime() + day))
  expect(await notifiedAt()).toEqual([now.toISOString()])
  await db.delete(supplyChanges).where(eq(supplyChanges.vendor_id, demoId('account vendor2')))
})

test('a change that lasts is the usual after four months, and ends', async () => {
  const valley = await devicesOf('vendor2', { skip: 6, count: 6 })
  await db.update(devices).set({ water_supply: 'Valley' }).where(inArray(devices.bssid, valley))
  await stepDevices(db, valley, now)
  const ends = async () => {
    const changes = await get<SupplyChange[]>('other', '/api/v3/health/incidents')
    return changes.filter(one => one.water_supply === 'Valley').map(one => one.ended_at)
  }
  const stepTo = async (days: number, count: number, course: Course) => {
    for (const bssid of valley) await storeDays(db, bssid, { days: count, today: today + days, course })
    await stepDevices(db, valley, new Date(now.getTime() + days * day))
  }
  const changed = { f: Math.log(1.6) }
  await stepTo(0, 60, index => (index < 40 ? {} : changed))
  expect(await ends()).toEqual([null])
  await stepTo(90, 90, () => changed)
  expect(await ends()).toEqual([null])
  await stepTo(150, 60, () => changed)
  expect(await ends()).toEqual([new Date(now.getTime() + 150 * day).toISOString()])
  await db.delete(supplyChanges).where(eq(supplyChanges.vendor_id, demoId('account vendor2')))
})

test('a change is found among devices without a label, too', async () => {
  const bssids: string[] = []
  for (let index = 0; index < 8; index++)
    bssids.push(await newDevice(db, { vendor_id: demoId('account vendor2'), time_zone: 'Pacific/Apia' }))
  const stepTo = async (days: number, count: number, feed: number) => {
    // What the devices report last.
    await db.update(deviceTwins).set({ feed_tds: feed }).where(inArray(deviceTwins.bssid, bssids))
    const f = Math.log(feed / 320)
    for (const bssid of bssids) await storeDays(db, bssid, { days: count, today: today + days, course: () => ({ f }) })
    await stepDevices(db, bssids, new Date(now.getTime() + days * day))
  }
  await stepTo(0, 40, 320)
  for (let days = 1; days <= 8; days++) await stepTo(days, 1, 512)
  expect(await get<SupplyChange[]>('other', '/api/v3/health/incidents')).toMatchObject([
    { water_supply: null, cause: 'feed_water', ended_at: null, devices: 8, bssids: bssids.toSorted() },
  ])
  await db.delete(supplyChanges).where(eq(supplyChanges.vendor_id, demoId('account vendor2')))
})

test('changes that began at once on two supplies without labels have ids of their own', async () => {
  const vendor_id = demoId('account vendor2')
  const change = {
    cause: 'feed_pressure',
    began_at: now,
    vendor_id,
    water_supply: null,
    value: -0.4,
    devices: 6,
  } as const
  await db.insert(supplyChanges).values(['soft', 'hard'].map(supply_key => ({ supply_key, ...change })))
  const ids = async () => (await get<SupplyChange[]>('other', '/api/v3/health/incidents')).map(({ _id }) => _id)
  expect(new Set(await ids()).size).toBe(2)
  expect(await ids()).toEqual(await ids())
  await db.delete(supplyChanges).where(eq(supplyChanges.vendor_id, vendor_id))
})

test('a change that goes on is not hidden by a hundred that ended long ago, and administrators have its devices', async () => {
  const vendor_id = demoId('account vendor2')
  const [bssid] = await devicesOf('vendor2', { skip: 20, count: 1 })
  const [own] = await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, bssid!))
  const change = { cause: 'feed_water', vendor_id, water_supply: 'Main', value: 0.4, devices: 6 } as const
  const later = Array.from({ length: 120 }, (_, index) => ({
    ...change,
    supply_key: `other ${index}`,
    began_at: new Date(now.getTime() - 40 * day),
    ended_at: new Date(now.getTime() - 35 * day),
  }))
  // Another vendor's supply with the same label.
  await newDevice(db, { vendor_id: demoId('account vendor'), water_supply: 'main' })
  const lasting = { ...change, supply_key: own!.supply_key, began_at: new Date(now.getTime() - 60 * day) }
  await db.insert(supplyChanges).values([...later, lasting])
  expect(await get<SupplyChange[]>('other', '/api/v3/health/incidents')).toMatchObject([
    { ended_at: null, bssids: null },
  ])
  expect(await get<SupplyChange[]>('admin', '/api/v3/health/incidents')).toContainEqual(
    expect.objectContaining({ water_supply: 'Main', bssids: expect.arrayContaining([bssid]) as unknown }),
  )
  await db.delete(supplyChanges).where(eq(supplyChanges.vendor_id, vendor_id))
})

test('is not seen by another vendor', async () => {
  expect(await get<SupplyChange[]>('other', '/api/v3/health/incidents')).toEqual([])
})

test('the devices of a supply without a label come with its change, as far as the caller may see them', async () => {
  const [key] = await db
    .select({ supply_key: deviceHealth.supply_key })
    .from(deviceHealth)
    .where(eq(deviceHealth.bssid, supply[0]!))
  await db.update(supplyChanges).set({ water_supply: null }).where(eq(supplyChanges.supply_key, key!.supply_key))
  // One of the devices has moved to another vendor since.
  await db
    .update(devices)
    .set({ vendor_id: demoId('account vendor2') })
    .where(eq(devices.bssid, supply[0]!))
  const [change] = await get<SupplyChange[]>('vendor', '/api/v3/health/incidents')
  expect(change).toMatchObject({ water_supply: null, bssids: supply.slice(1) })
  // However many devices there are, a change names a thousand.
  const [one] = await db.select().from(devices).where(eq(devices.bssid, supply[1]!))
  const { platform, model_id, vendor_id, created_at } = one!
  const more = Array.from({ length: 1000 }, (_, index) => `FF:FF:00:${addressPart(index)}`)
  await db
    .insert(devices)
    .values(more.map(bssid => ({ bssid, platform, model_id, vendor_id, created_at, updated_at: created_at })))
  await db.update(deviceHealth).set({ supply_key: key!.supply_key }).where(inArray(deviceHealth.bssid, more))
  const [named] = await get<SupplyChange[]>('vendor', '/api/v3/health/incidents')
  expect(named!.bssids).toHaveLength(1000)
})

/** Three bytes of a device's id. */
const addressPart = (index: number) => index.toString(16).padStart(6, '0').toUpperCase().match(/../g)!.join(':')

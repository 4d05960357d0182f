/** The daily step: which days it takes, what a new cartridge changes, and that several servers share the devices. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { expect, test } from 'vitest'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { cartridgeForecasts } from '../../../../server/db/schema/forecasts.ts'
import { deviceHealth, healthFindings } from '../../../../server/db/schema/health.ts'
import { deviceModels } from '../../../../server/db/schema/models.ts'
import { devicesByKeys } from '../../../../server/resources/devices/rows.ts'
import { storeStates } from '../../../../server/devices/ingest/storeStates.ts'
import { stepSlice } from '../../../../server/devices/health/step.ts'
import { startServer } from '../../support/harness.ts'
import {
  fittedMembrane,
  installMembrane,
  noonOf,
  stepDevices,
  storeDays,
  utcDay,
  type Course,
} from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock, pool } = await startServer()
const now = noonOf(clock.now())
const today = utcDay(now)
const after = (days: number) => new Date(now.getTime() + days * day)

const healthOf = async (bssid: string) =>
  (await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, bssid)))[0]!
/** Creates devices one after the other, and returns their ids. */
async function newDevices(count: number, values: Parameters<typeof newDevice>[1] = {}): Promise<string[]> {
  const bssids: string[] = []
  for (let index = 0; index < count; index++) bssids.push(await newDevice(db, values))
  return bssids
}
const findingsOf = (bssid: string) => db.select().from(healthFindings).where(eq(healthFindings.bssid, bssid))

test('days that arrive late, because the device was offline, are taken in order', async () => {
  const [whole, late] = [await newDevice(db), await newDevice(db)]
  for (const bssid of [whole, late]) await storeDays(db, bssid, { days: 40, today: today - 10 })
  await stepDevices(db, [whole, late], now)
  await storeDays(db, whole, { days: 10, today })
  await stepDevices(db, [whole], now)
  // The other one is stepped without these days first.
  await stepDevices(db, [late], now)
  await storeDays(db, late, { days: 10, today })
  await stepDevices(db, [late], after(1))
  const [one, other] = [await healthOf(whole), await healthOf(late)]
  expect(other.state!.day).toBe(today - 1)
  expect(other.state!.channels).toEqual(one.state!.channels)
})

test('a device whose days arrive late is compared with the neighbours that were in time', async () => {
  const bssids = await newDevices(9, { water_supply: 'Well of late days' })
  const [late, ...inTime] = bssids
  // The water of all of them fouls the membranes alike: a matter of the supply.
  const shared: Course = index => (index < 60 ? {} : { a: -0.3 })
  for (const bssid of bssids) await storeDays(db, bssid, { days: 60, today: today - 20, course: shared })
  await stepDevices(db, bssids, now)
  const afterwards: Course = index => shared(index + 60)
  for (const bssid of inTime) await storeDays(db, bssid, { days: 20, today, course: afterwards })
  await stepDevices(db, inTime, now)
  await storeDays(db, late!, { days: 20, today, course: afterwards })
  await stepDevices(db, [late!], after(0.5))
  const [one, other] = [await healthOf(late!), await healthOf(inTime[0]!)]
  expect(one.state!.day).toBe(today - 1)
  // Alone it would be at -0.3.
  expect(other.state!.channels.a!.level).toBeGreaterThan(-0.2)
  expect(one.state!.channels.a!.level).toBeCloseTo(other.state!.channels.a!.level, 1)
})

test('a step without a new day leaves a finding as doubtful as its neighbours made it', async () => {
  const bssids = await newDevices(3, { water_supply: 'Well of few devices' })
  const [fouled, ...others] = bssids as [string, string, string]
  const fouling = (share: number): Course => {
    return index => ({ a: index < 60 ? 0 : -0.006 * share * (index - 60) })
  }
  await storeDays(db, fouled, { days: 100, today, course: fouling(1) })
  for (const bssid of others) await storeDays(db, bssid, { days: 100, today, course: fouling(0.4) })
  await stepDevices(db, bssids, now)
  const [before] = await findingsOf(fouled)
  expect(before!.evidence.find(({ channel }) => channel === 'a')!.neighbours).toMatchObject({ n: 2 })
  await stepDevices(db, [fouled], now)
  const [{ confidence, evidence, told_at }] = (await findingsOf(fouled)) as [typeof healthFindings.$inferSelect]
  expect({ confidence, evidence, told_at }).toEqual({
    confidence: before!.confidence,
    evidence: before!.evidence,
    told_at: before!.told_at,
  })
})

/** A device whose concentrate has been restricted for 20 days, with its finding. */
async function restrictedDevice() {
  const bssid = await newDevice(db)
  await storeDays(db, bssid, { days: 80, today, course: index => (index < 60 ? {} : { r: 0.4 }) })
  await stepDevices(db, [bssid], now)
  const [finding] = await findingsOf(bssid)
  return { bssid, finding: finding! }
}

test('a finding is open again when its time on the shelf ends, and counts at once', async () => {
  const { bssid, finding } = await restrictedDevice()
  const shelved_until = after(0.1)
  const { id, size } = finding
  await db
    .update(healthFindings)
    .set({ state: 'shelved', shelved_until, shelved_size: size })
    .where(eq(healthFindings.id, id))
  await stepDevices(db, [bssid], now)
  expect((await devicesByKeys(db, [bssid]))[0]!.health.cause).toBeNull()
  expect((await healthOf(bssid)).due_at).toEqual(shelved_until)
  await stepDevices(db, [bssid], shelved_until)
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'open' }])
  expect((await devicesByKeys(db, [bssid]))[0]!.health.cause).toBe(finding.cause)
})

test('a dismissed finding ends once the device is well again, and keeps its verdict', async () => {
  const { bssid, finding } = await restrictedDevice()
  const dismissed = { state: 'dismissed', verdict: 'none' } as const
  await db.update(healthFindings).set(dismissed).where(eq(healthFindings.id, finding.id))
  await stepDevices(db, [bssid], now)
  expect(await findingsOf(bssid)).toMatchObject([{ ...dismissed, ended_at: null }])
  await storeDays(db, bssid, { days: 30, today: today + 30 })
  await stepDevices(db, [bssid], after(30))
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'resolved', verdict: 'none', ended_at: after(30) }])
})

test('a slice takes two statements, however many devices it has', async () => {
  const statements: string[] = []
  const logged = drizzle(pool, { logger: { logQuery: statement => statements.push(statement) } })
  for (const count of [1, 12]) {
    const bssids = await newDevices(count)
    for (const bssid of bssids) await storeDays(db, bssid, { days: 30, today })
    await db.update(deviceHealth).set({ due_at: now }).where(inArray(deviceHealth.bssid, bssids))
    statements.length = 0
    await stepSlice(logged, now, count)
    expect(statements.filter(statement => !/^(begin|commit)/.test(statement))).toHaveLength(2)
  }
})

test('what the past of a device shows right after midnight was not told later than now', async () => {
  const bssid = await newDevice(db)
  // As many days as two steps take; the newest of them would be stepped an hour after its end.
  await storeDays(db, bssid, { days: 80, today, course: index => (index < 60 ? {} : { r: 0.4 }) })
  const midnight = new Date(today * day + 10 * 60_000)
  await stepDevices(db, [bssid], midnight)
  const [finding] = await findingsOf(bssid)
  expect(finding!.told_at!.getTime()).toBeLessThanOrEqual(midnight.getTime())
})

test('a device without a day of data is stepped, and shows nothing', async () => {
  const bssid = await newDevice(db)
  await stepDevices(db, [bssid], now)
  expect(await healthOf(bssid)).toMatchObject({ state: null, shown: null, day: null })
  expect(await devicesByKeys(db, [bssid])).toMatchObject([{ health: { state: 'learning', score: null } }])
})

test('the cartridges of a device without a day of data are due by their dates', async () => {
  const { bssid } = await fittedMembrane(db, 1)
  const fitted = await db
    .select({
      position: deviceCartridges.position,
      due_at: sql`${deviceCartridges.installed_at} + ${cartridgeTypes.ttl} * interval '1 day'`.mapWith(
        deviceCartridges.installed_at,
      ),
    })
    .from(deviceCartridges)
    .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id))
    .where(eq(deviceCartridges.bssid, bssid))
    .orderBy(deviceCartridges.position)
  await stepDevices(db, [bssid], now)
  expect((await healthOf(bssid)).state).toBeNull()
  const forecasts = await db
    .select()
    .from(cartridgeForecasts)
    .where(eq(cartridgeForecasts.bssid, bssid))
    .orderBy(cartridgeForecasts.position)
  expect(forecasts).toMatchObject(
    fitted.map(each => ({ ...each, early_at: each.due_at, late_at: each.due_at, basis: 'date' })),
  )
})

test('a new membrane ends its findings and is learned anew', async () => {
  const membrane = await fittedMembrane(db)
  const { bssid } = membrane
  const fouling: Course = index => ({ a: index < 60 ? 0 : -0.006 * (index - 60) })
  await storeDays(db, bssid, { days: 100, today, course: fouling })
  await stepDevices(db, [bssid], now)
  expect(await findingsOf(bssid)).toMatchObject([{ cause: 'fouling', state: 'open' }])
  await installMembrane(db, membrane, now)
  await storeDays(db, bssid, { days: 15, today: today + 15 })
  await stepDevices(db, [bssid], after(15))
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'resolved' }])
  const { state } = await healthOf(bssid)
  expect(state!.first).toBe(today)
  expect(state!.channels.a!.since).toBeGreaterThan(today)
  // What the membrane does not change goes on.
  expect(state!.channels.r!.since).toBeLessThan(today)
})

test('a cartridge that is replaced is forecast anew at once, and its finding ends', async () => {
  const { bssid } = await fittedMembrane(db, 2)
  const [prefilter] = await db
    .select({ position: deviceCartridges.position })
    .from(deviceCartridges)
    .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id))
    .where(and(eq(deviceCartridges.bssid, bssid), eq(cartridgeTypes.type, 0)))
    .orderBy(deviceCartridges.position)
  const { position } = prefilter!
  await db
    .update(deviceCartridges)
    .set({ installed_at: after(-100) })
    .where(eq(deviceCartridges.bssid, bssid))
  await storeDays(db, bssid, { days: 80, today, course: index => ({ h: index < 50 ? 0 : -0.012 * (index - 50) }) })
  await stepDevices(db, [bssid], now)
  expect(await findingsOf(bssid)).toMatchObject([{ cause: 'prefilter', state: 'open' }])
  const due = async () => {
    const forecasts = await db.select().from(cartridgeForecasts).where(eq(cartridgeForecasts.bssid, bssid))
    return forecasts.find(each => each.position === position)!.due_at.getTime()
  }
  expect(await due()).toBeLessThan(now.getTime())
  const state = { at: now.toISOString(), replaced_cartridges: [position] }
  await storeStates(db, [{ bssid, state, receivedAt: now }])
  expect((await healthOf(bssid)).due_at).toEqual(now)
  await stepSlice(db, now)
  expect(await due()).toBeGreaterThan(after(30).getTime())
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'resolved' }])
})

test('a change of salt says nothing where most of it comes through the bypass', async () => {
  const [model] = await db.select().from(deviceModels).where(eq(deviceModels.name, 'RO-800 Pro UV'))
  expect(model!.bypass_flow_rates.at(-1)).toBe(0.03)
  // On two supplies, so that neither is the other's neighbour.
  const [bypassing, other] = [
    await newDevice(db, { water_supply: 'Well with bypass' }),
    await newDevice(db, { water_supply: 'Well without bypass' }),
  ]
  await db
    .update(devices)
    .set({ model_id: model!.id })
    .where(inArray(devices.bssid, [bypassing, other]))
  await db.update(devices).set({ bypass_state: 3 }).where(eq(devices.bssid, bypassing))
  const less: Course = index => (index < 70 ? {} : { b: -0.8, brief: -0.8 })
  for (const bssid of [bypassing, other]) await storeDays(db, bssid, { days: 100, today, course: less })
  await stepDevices(db, [bypassing, other], now)
  await stepDevices(db, [bypassing, other], now)
  expect(await findingsOf(other)).toMatchObject([{ cause: 'outlet_tds_sensor' }])
  expect(await findingsOf(bypassing)).toEqual([])
})

test('servers that step at the same time take different devices', async () => {
  const bssids = await newDevices(24)
  for (const bssid of bssids) await storeDays(db, bssid, { days: 3, today })
  await db.update(deviceHealth).set({ due_at: after(100) })
  await db.update(deviceHealth).set({ due_at: now }).where(inArray(deviceHealth.bssid, bssids))
  const results = await Promise.all([1, 2, 3, 4].map(() => stepSlice(db, now, 6)))
  expect(results.map(({ hasMore }) => hasMore)).toEqual([true, true, true, true])
  const rows = await db.select().from(deviceHealth).where(inArray(deviceHealth.bssid, bssids))
  expect(rows.every(({ state }) => state?.days === 3)).toBe(true)
})

test('a device without readings is stepped once a day and stays as it is', async () => {
  const bssid = await newDevice(db, { time_zone: 'America/New_York' })
  await stepDevices(db, [bssid], now)
  const { due_at, state } = await healthOf(bssid)
  expect(state).toBeNull()
  // An hour after midnight in New York.
  expect(
    new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' }).format(due_at),
  ).toBe('01')
  expect(due_at.getTime() - now.getTime()).toBeLessThanOrEqual(day)
  const [row] = await db.select().from(devices).where(eq(devices.bssid, bssid))
  expect(row).toMatchObject({ health_state: 'learning', health_score: null, health_cause: null })
})

test('a day that hardly changes the health leaves the rows of lists alone', async () => {
  const bssid = await newDevice(db)
  await storeDays(db, bssid, { days: 60, today })
  await stepDevices(db, [bssid], now)
  const [before] = await db.select().from(devices).where(eq(devices.bssid, bssid))
  await db
    .update(devices)
    .set({ health_score: before!.health_score! - 1 })
    .where(eq(devices.bssid, bssid))
  const stepDay = async (days: number) => {
    await storeDays(db, bssid, { days: 1, today: today + days })
    await db.update(deviceHealth).set({ due_at: after(1000) })
    await db.update(deviceHealth).set({ due_at: now }).where(eq(deviceHealth.bssid, bssid))
    return (await stepSlice(db, after(days))).changed
  }
  expect(await stepDay(1)).toEqual([])
  expect((await healthOf(bssid)).day).toBe(today)
  await db
    .update(devices)
    .set({ health_score: before!.health_score! - 2 })
    .where(eq(devices.bssid, bssid))
  expect(await stepDay(2)).toEqual([bssid])
})

test('a score that falls too slowly for a finding still says what it is low for', async () => {
  const bssid = await newDevice(db)
  // A pre-filter that clogs over a year and a half: no 45 days of it are more than the sensors may wander.
  const slow: Course = index => ({ h: -0.0006 * Math.max(0, index - 30) })
  for (const end of [180, 360, 540]) {
    await storeDays(db, bssid, { days: 180, today: today - 540 + end, course: index => slow(index + end - 180) })
    await stepDevices(db, [bssid], now)
  }
  const [row] = await db.select().from(devices).where(eq(devices.bssid, bssid))
  expect(row).toMatchObject({ health_state: 'act', health_cause: null })
  const [shown] = await devicesByKeys(db, [bssid])
  expect(shown!.health).toMatchObject({ state: 'act', cause: null, worst: 'h' })
})

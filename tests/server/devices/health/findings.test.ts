/** What the daily step does with the stored findings of a device. */
import { and, eq, gte } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceHealth, healthFindings } from '../../../../server/db/schema/health.ts'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { stepSlice } from '../../../../server/devices/health/step.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay, type Course } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock } = await startServer()
const now = noonOf(clock.now())
const today = utcDay(now)
const after = (days: number) => new Date(now.getTime() + days * day)

const findingsOf = (bssid: string) => db.select().from(healthFindings).where(eq(healthFindings.bssid, bssid))

/** A device whose concentrate has been restricted for 20 days. */
async function restrictedDevice(): Promise<string> {
  const bssid = await newDevice(db)
  await storeDays(db, bssid, { days: 80, today, course: index => (index < 60 ? {} : { r: 0.4 }) })
  await stepDevices(db, [bssid], now)
  return bssid
}

/** Stores days on which water flowed at rest only. */
async function storeRest(bssid: string, days: number): Promise<void> {
  await storeDays(db, bssid, { days, today: today + days })
  await db
    .update(healthDays)
    .set({ n: 0, flows: 0, rest_hours: 5, rest_litres: 0.1 })
    .where(and(eq(healthDays.bssid, bssid), gte(healthDays.day, today)))
}

test('a shelved finding stays on its shelf over days on which water flowed at rest only', async () => {
  const bssid = await restrictedDevice()
  const shelf = { state: 'shelved', shelved_until: after(60), shelved_size: 1 } as const
  await db.update(healthFindings).set(shelf).where(eq(healthFindings.bssid, bssid))
  const [before] = await findingsOf(bssid)
  await storeRest(bssid, 12)
  await stepDevices(db, [bssid], after(12))
  const { state, cause, evidence, ended_at } = before!
  expect(await findingsOf(bssid)).toMatchObject([{ state, cause, evidence, ended_at }])
  await storeDays(db, bssid, { days: 3, today: today + 15, course: () => ({ r: 0.4 }) })
  await stepDevices(db, [bssid], after(15))
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'shelved', ended_at: null }])
})

test('a shelved finding that has grown by half counts at once, and its shelf is forgotten', async () => {
  const bssid = await restrictedDevice()
  const [found] = await findingsOf(bssid)
  const shelf = { shelved_until: after(60), shelved_size: found!.size, reason: 'Visit', login: 'vendor' }
  await db
    .update(healthFindings)
    .set({ ...shelf, state: 'shelved' })
    .where(eq(healthFindings.bssid, bssid))
  const stepAfter = async (days: number, from: number, change: number) => {
    await storeDays(db, bssid, { days: days - from, today: today + days, course: () => ({ r: change }) })
    await db.update(deviceHealth).set({ due_at: after(1000) })
    await db.update(deviceHealth).set({ due_at: now }).where(eq(deviceHealth.bssid, bssid))
    return (await stepSlice(db, after(days))).changed
  }
  await stepAfter(5, 0, 0.45)
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'shelved', reason: 'Visit' }])
  expect(await stepAfter(25, 5, 0.9)).toEqual([bssid])
  expect(await findingsOf(bssid)).toMatchObject([
    { state: 'open', told_at: after(25), shelved_until: null, shelved_size: null, reason: null, login: null },
  ])
  const [listed] = await db.select().from(devices).where(eq(devices.bssid, bssid))
  expect(listed).toMatchObject({ health_score: 0, health_cause: found!.cause })
})

test('a dismissed finding that has grown by half is open again, and keeps its verdict', async () => {
  const bssid = await restrictedDevice()
  const [found] = await findingsOf(bssid)
  await db
    .update(healthFindings)
    .set({ state: 'dismissed', verdict: 'none', shelved_size: found!.size, login: 'vendor' })
    .where(eq(healthFindings.bssid, bssid))
  await storeDays(db, bssid, { days: 5, today: today + 5, course: () => ({ r: 0.45 }) })
  await stepDevices(db, [bssid], after(5))
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'dismissed' }])
  await storeDays(db, bssid, { days: 20, today: today + 25, course: () => ({ r: 0.9 }) })
  await stepDevices(db, [bssid], after(25))
  expect(await findingsOf(bssid)).toMatchObject([
    { state: 'open', told_at: after(25), shelved_size: null, verdict: 'none', login: 'vendor' },
  ])
})

test('a second finding is published, and its end, although the score was 0 before', async () => {
  const bssid = await newDevice(db)
  const clogged = { h: -0.5 }
  await storeDays(db, bssid, { days: 80, today, course: index => (index < 60 ? {} : clogged) })
  await stepDevices(db, [bssid], now)
  const listed = () =>
    db
      .select({ score: devices.health_score, cause: devices.health_cause })
      .from(devices)
      .where(eq(devices.bssid, bssid))
  const before = await listed()
  expect(before).toEqual([{ score: 0, cause: 'prefilter' }])
  /** Steps the device through some days, and returns what is published. */
  const step = async (from: number, days: number, change: ReturnType<Course>) => {
    await storeDays(db, bssid, { days, today: today + from + days, course: () => change })
    await db.update(deviceHealth).set({ due_at: after(1000) })
    await db.update(deviceHealth).set({ due_at: now }).where(eq(deviceHealth.bssid, bssid))
    return (await stepSlice(db, after(from + days))).changed
  }
  expect(await step(0, 20, { ...clogged, r: -0.3 })).toEqual([bssid])
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'open' }, { state: 'open' }])
  expect(await step(20, 1, { ...clogged, r: -0.3 })).toEqual([])
  expect(await step(21, 35, clogged)).toEqual([bssid])
  expect(await listed()).toEqual(before)
})

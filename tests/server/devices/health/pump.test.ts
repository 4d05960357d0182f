/** Booster pumps in the daily step: told by several days, and what is stored of the pressure means the same before and after. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { prefilterLives } from '../../../../server/db/schema/forecasts.ts'
import { runningPressure } from '../../../../src/domain/health/instruments.ts'
import type { HealthState } from '../../../../src/domain/health/types/state.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices, storeDays, type Course } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock } = await startServer()
const now = new Date(Math.floor(clock.now().getTime() / day) * day + 12 * 3_600_000)
const today = now.getTime() / day - 0.5
const after = (days: number) => new Date(now.getTime() + days * day)

const healthOf = async (bssid: string) =>
  (await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, bssid)))[0]!
/** bar of the samples while no water runs, and while it runs. */
const resting = 4.2
const running = 0.95 * resting
const pressureOf = ({ state }: { readonly state: HealthState | null }) => runningPressure(state!.channels)

test('one day of higher pressure is no pump, and the pressure stays what it is', async () => {
  const bssid = await newDevice(db)
  const odd: Course = index => (index === 20 ? { h: 0.17 } : {})
  // More days than one step takes.
  await storeDays(db, bssid, { days: 100, today, course: odd })
  await stepDevices(db, [bssid], now)
  const health = await healthOf(bssid)
  expect(health.boosted).toBe(false)
  expect(health.levels.h).toBeCloseTo(Math.log(0.95), 1)
  expect(pressureOf(health)).toBeCloseTo(running, 1)
})

test('several days tell a pump, and days before and after it are not mixed', async () => {
  const bssid = await newDevice(db)
  // 2.1 bar, which a pump raises to 3.3.
  const boosted: Course = () => ({ h: 0.5, p: -Math.LN2 })
  await storeDays(db, bssid, { days: 100, today, course: boosted })
  await stepDevices(db, [bssid], now)
  const health = await healthOf(bssid)
  expect(health.boosted).toBe(true)
  expect(health.baselines.h).toBeCloseTo(Math.log(0.95 * Math.exp(0.5) * 2.1), 1)
  expect(pressureOf(health)).toBeCloseTo(0.95 * Math.exp(0.5) * 2.1, 1)
  expect(Math.abs(health.state!.channels.h!.level)).toBeLessThan(0.03)
})

test('a device without a pump that an earlier version took for one with it heals, and its pre-filter is followed', async () => {
  const bssid = await newDevice(db)
  await storeDays(db, bssid, { days: 60, today: today - 40 })
  await stepDevices(db, [bssid], now)
  const { state } = await healthOf(bssid)
  const { boosted: _, lifts: _lifts, ...earlier } = state!
  const bar = { ...earlier.channels.h!, raw: [1.38, 1.39, 1.38], level: 1.4 }
  await db
    .update(deviceHealth)
    .set({ boosted: true, state: { ...earlier, channels: { ...earlier.channels, h: bar } } })
    .where(eq(deviceHealth.bssid, bssid))
  // The first days are stored as that version did: the running pressure alone.
  await storeDays(db, bssid, {
    days: 10,
    today: today - 30,
    course: () => ({ h: Math.log(running) - Math.log(0.95) }),
    flow: () => 0.55,
  })
  await storeDays(db, bssid, { days: 30, today, flow: () => 0.55 })
  await stepDevices(db, [bssid], after(1))
  const health = await healthOf(bssid)
  expect(health.boosted).toBe(false)
  expect(health.baselines.h).toBeCloseTo(Math.log(0.95), 1)
  expect(Math.abs(health.state!.channels.h!.level)).toBeLessThan(0.03)
  expect(pressureOf(health)).toBeCloseTo(running, 1)
  expect(health.state!.open).toEqual([])
})

test('a device with a pump has no life of a pre-filter', async () => {
  const bssid = await newDevice(db)
  await storeDays(db, bssid, { days: 30, today, course: () => ({ h: 0.5, p: -Math.LN2 }) })
  await stepDevices(db, [bssid], now)
  expect(await db.select().from(prefilterLives).where(eq(prefilterLives.bssid, bssid))).toEqual([])
})

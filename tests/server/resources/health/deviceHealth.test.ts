/** The health of a device: what its changes are compared with. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { DeviceHealth } from '../../../../src/api/contract/health/device.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { deviceHealth, membraneFits } from '../../../../server/db/schema/health.ts'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { deviceAlarms } from '../../../../server/db/schema/notifications.ts'
import { devicesByKeys } from '../../../../server/resources/devices/rows.ts'
import { startServer } from '../../support/harness.ts'
import {
  fittedMembrane,
  installMembrane,
  noonOf,
  stepDevices,
  storeDays,
  utcDay,
} from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, call, clock, signIn } = await startServer()
const admin = (await signIn('admin')).access_token
const now = noonOf(clock.now())
const today = utcDay(now)

test.each([
  { age: 400, isFirstSeen: true },
  { age: 35, isFirstSeen: false },
])(
  'a device with a membrane of $age days is compared with its first day, or with new',
  async ({ age, isFirstSeen }) => {
    const membrane = await fittedMembrane(db, age === 400 ? 0 : 1)
    const { bssid } = membrane
    await installMembrane(db, membrane, new Date(now.getTime() - age * day))
    await storeDays(db, bssid, { days: 30, today })
    await stepDevices(db, [bssid], now)
    const answer = await call('GET', `/api/v3/devices/${bssid}/health?zone=UTC`, { token: admin })
    const { first_seen } = answer.json<{ data: DeviceHealth }>().data
    expect(first_seen !== null).toBe(isFirstSeen)
    if (first_seen !== null) expect(Date.parse(first_seen)).toBeCloseTo((today - 30) * day, -8)
  },
)

/** Returns the health of a device. `query`: without a leading `?`. */
const healthOf = async (bssid: string, query: string) => {
  const answer = await call('GET', `/api/v3/devices/${bssid}/health?${query}`, { token: admin })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: DeviceHealth }>().data
}

test('a range that ends earlier has the days before it, each from midnight to midnight through a change of clocks', async () => {
  const membrane = await fittedMembrane(db, 2)
  const { bssid } = membrane
  await installMembrane(db, membrane, new Date('2025-08-01T00:00:00Z'))
  await db.update(devices).set({ time_zone: 'Europe/Berlin' }).where(eq(devices.bssid, bssid))
  const last = Date.UTC(2025, 9, 28) / day
  await storeDays(db, bssid, { days: 60, today: last })
  await stepDevices(db, [bssid], new Date(last * day + day / 2))
  const until = encodeURIComponent('2025-10-27T12:00:00+01:00')
  const { points } = await healthOf(bssid, `range=month&until=${until}`)
  expect(points.slice(-4).map(({ at }) => at)).toEqual([
    '2025-10-23T22:00:00.000Z',
    '2025-10-24T22:00:00.000Z',
    '2025-10-25T22:00:00.000Z',
    '2025-10-26T23:00:00.000Z',
  ])
  expect(points).toHaveLength(32)
  const newest = (await healthOf(bssid, 'range=month')).points
  expect(newest.every(({ at }) => Date.parse(at) > last * day)).toBe(true)
})

test('the correction is that of the membrane type, once it is fitted', async () => {
  const { bssid, typeId } = await fittedMembrane(db, 3)
  expect((await healthOf(bssid, 'range=month')).correction).toBeNull()
  await db.insert(membraneFits).values({ cartridge_type_id: typeId, water_k: -120, salt_k: 350, fitted_at: now })
  expect((await healthOf(bssid, 'range=month')).correction).toEqual({
    water: -120,
    salt: 350,
    fitted_at: now.toISOString(),
  })
})

test('days have flow and salt as measured, against what was measured while the baseline was learned', async () => {
  const membrane = await fittedMembrane(db, 4)
  const { bssid } = membrane
  await installMembrane(db, membrane, new Date(now.getTime() - 50 * day))
  // Cold water: less flow, and as much at 25 °C.
  await storeDays(db, bssid, { days: 50, today, flow: index => (index < 40 ? 0.5 : 0.4) })
  await stepDevices(db, [bssid], now)
  const { points, neighbours } = await healthOf(bssid, 'range=quarter')
  const measured = points.map(point => point.measured)
  expect(measured[20]!.a).toBeCloseTo(0, 6)
  expect(measured.at(-1)!.a).toBeCloseTo(Math.log(0.8), 6)
  expect(points.at(-1)!.values.a).toBeCloseTo(0, 1)
  expect(measured.at(-1)!.b).toBeCloseTo(0, 6)
  expect(neighbours.every(point => !('measured' in point))).toBe(true)
  await db.update(healthDays).set({ flows: 0, flow: 0 }).where(eq(healthDays.bssid, bssid))
  const old = (await healthOf(bssid, 'range=quarter')).points.at(-1)!
  expect(old.measured).toEqual({ b: expect.closeTo(0, 6) as number })
})

test('days of neighbours before their membranes were replaced do not count', async () => {
  const { typeId } = await fittedMembrane(db)
  const bssids: string[] = []
  for (let index = 0; index < 7; index++) {
    const bssid = await newDevice(db, { water_supply: 'Well of old membranes' })
    const installed_at = new Date(now.getTime() - (index === 0 ? 200 : 50) * day)
    await db.insert(deviceCartridges).values({ bssid, position: 0, cartridge_type_id: typeId, installed_at })
    // An old membrane lets a tenth less through until it is replaced.
    const course = (since: number) => ({ a: index > 0 && since < 40 ? -0.1 : 0 })
    await storeDays(db, bssid, { days: 90, today, course })
    bssids.push(bssid)
  }
  await stepDevices(db, bssids, now)
  const { neighbours } = await healthOf(bssids[0]!, 'range=quarter')
  const flow = neighbours.flatMap(({ values }) => values.a ?? [])
  expect(flow.length).toBeGreaterThan(30)
  expect(Math.min(...flow)).toBeGreaterThan(-0.03)
  // What is no matter of the membrane has been compared since before.
  expect(neighbours.filter(({ values }) => values.r !== undefined).length).toBeGreaterThan(70)
  // One settled reading makes a day, as in the trend; of short draws it takes four.
  await db
    .update(healthDays)
    .set({ b_n: 1, b_sum: sql`b_sum / b_n`, brief_n: 3, brief_sum: sql`brief_sum / brief_n * 3` })
    .where(and(inArray(healthDays.bssid, bssids), eq(healthDays.day, today - 1)))
  const yesterday = (await healthOf(bssids[0]!, 'range=quarter')).neighbours.at(-1)!.values
  expect(yesterday).toHaveProperty('b')
  expect(yesterday).not.toHaveProperty('brief')
})

test('each value has the error of sensors that wander, and salt that the bypass hides is not known', async () => {
  const bssids = [await newDevice(db, { bypass_state: 0 }), await newDevice(db, { bypass_state: 3 })]
  for (const bssid of bssids) await storeDays(db, bssid, { days: 30, today })
  await stepDevices(db, bssids, now)
  const [closed, open] = [await healthOf(bssids[0]!, ''), await healthOf(bssids[1]!, '')]
  const { values, errors } = closed.points.at(-1)!
  expect(Object.keys(errors)).toEqual(Object.keys(values))
  // Two percent of the flow sensor now, and as much of the baseline.
  expect(errors.a).toBeGreaterThan(0.02)
  expect(errors.a).toBeLessThan(0.06)
  expect(closed.trends.a!.error).toBeGreaterThan(closed.trends.a!.deviation)
  expect(closed.salt_hidden).toBe(false)
  expect(closed.trends.b!.error).toBeLessThan(0.1)
  expect(open.salt_hidden).toBe(true)
  expect(open.trends.b!.error).toBeGreaterThan(0.2)
  expect(open.trends.a!.error).toBeCloseTo(closed.trends.a!.error, 2)
})

test('a device whose stored days are not computed yet is pending until they are', async () => {
  const bssid = await newDevice(db)
  expect(await healthOf(bssid, '')).toMatchObject({ score: null, pending: false })
  await storeDays(db, bssid, { days: 20, today })
  expect(await healthOf(bssid, '')).toMatchObject({ score: null, pending: true, learned: 0 })
  await stepDevices(db, [bssid], now)
  expect(await healthOf(bssid, '')).toMatchObject({ score: 100, pending: false })
  // With too few days it is still learned, but nothing is pending. The first three days are left out.
  const learning = await newDevice(db)
  await storeDays(db, learning, { days: 6, today })
  await stepDevices(db, [learning], now)
  expect(await healthOf(learning, '')).toMatchObject({ score: null, pending: false, learned: 3 })
})

test('sensors that the device reports as defective are named, each once', async () => {
  const bssid = await newDevice(db)
  const alarm = (type: 'outlet_tds_sensor' | 'pressure_sensor' | 'leak', subject: string) => ({
    bssid,
    type,
    subject,
    since: now,
  })
  expect((await healthOf(bssid, '')).defective_sensors).toEqual([])
  await db
    .insert(deviceAlarms)
    .values([alarm('outlet_tds_sensor', ''), alarm('outlet_tds_sensor', 'status'), alarm('leak', '')])
  expect((await healthOf(bssid, '')).defective_sensors).toEqual(['outlet_tds_sensor'])
  await db.insert(deviceAlarms).values(alarm('pressure_sensor', ''))
  expect((await healthOf(bssid, '')).defective_sensors).toEqual(['pressure_sensor', 'outlet_tds_sensor'])
})

test('salt that has not been measured for thirty days of use is no part of the score, which is then not sure', async () => {
  const bssid = await newDevice(db)
  await storeDays(db, bssid, { days: 100, today })
  const forget = (channel: 'b' | 'brief', days: number) =>
    db.execute(sql`update health_days set ${sql.identifier(`${channel}_n`)} = 0
      where bssid = ${bssid} and day >= ${today - days}`)
  const step = async () => {
    await db.update(deviceHealth).set({ state: null, day: null }).where(eq(deviceHealth.bssid, bssid))
    await stepDevices(db, [bssid], now)
    const [{ health } = { health: undefined }] = await devicesByKeys(db, [bssid])
    return { unsure: health?.unsure, stale: (await healthOf(bssid, '')).stale }
  }
  await forget('b', 40)
  expect(await step()).toEqual({ unsure: false, stale: ['b'] })
  await forget('brief', 31)
  expect(await step()).toEqual({ unsure: true, stale: ['b', 'brief'] })
})

test('the list says of a score that it is not sure while a sensor that it needs is defective', async () => {
  const bssid = await newDevice(db)
  const fault = (type: 'inlet_flow_sensor' | 'outlet_tds_sensor') =>
    db.insert(deviceAlarms).values({ bssid, type, subject: '', since: now })
  const unsure = async () => (await devicesByKeys(db, [bssid]))[0]?.health.unsure
  const setScore = (health_score: number | null) =>
    db.update(devices).set({ health_score }).where(eq(devices.bssid, bssid))
  await setScore(90)
  await fault('inlet_flow_sensor')
  expect(await unsure()).toBe(false)
  await fault('outlet_tds_sensor')
  expect(await unsure()).toBe(true)
  await setScore(null)
  expect(await unsure()).toBe(false)
})

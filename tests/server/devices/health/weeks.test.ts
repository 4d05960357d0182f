/** Days that are older than 400 days are kept as weeks, for five years, and everything that reads them goes on working. */
import { eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { DeviceHealth } from '../../../../src/api/contract/health/device.ts'
import { deviceCartridges } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { deviceHealth, healthFindings, membraneFits } from '../../../../server/db/schema/health.ts'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { fitMembranes } from '../../../../server/devices/health/fits.ts'
import { pruneHealth } from '../../../../server/devices/health/prune.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices, storeDays, type Course } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock, call, signIn } = await startServer()
const now = new Date(Math.floor(clock.now().getTime() / day) * day + 12 * 3_600_000)
const today = now.getTime() / day - 0.5
const after = (days: number) => new Date(now.getTime() + days * day)
const token = (await signIn('vendor')).access_token

const rowsOf = (bssid: string) =>
  db.select().from(healthDays).where(eq(healthDays.bssid, bssid)).orderBy(healthDays.day)
type Row = Awaited<ReturnType<typeof rowsOf>>[number]
const added = Object.keys(getTableColumns(healthDays)).filter(
  name => !['bssid', 'day', 'days', 'max_run'].includes(name),
) as (keyof Row)[]
const sumsOf = (rows: readonly Row[]) =>
  Object.fromEntries(added.map(name => [name, rows.reduce((sum, row) => sum + Number(row[name]), 0)]))
const isMonday = (date: number) => new Date(date * day).getUTCDay() === 1
const healthOf = async (bssid: string) =>
  (await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, bssid)))[0]!
/** Steps devices through a past that takes several steps. */
async function stepAll(bssids: readonly string[], at = now): Promise<void> {
  for (let state = 0; state < today - 1;) {
    await stepDevices(db, bssids, at)
    const rows = await db
      .select()
      .from(deviceHealth)
      .where(inArray(deviceHealth.bssid, [...bssids]))
    state = Math.min(...rows.map(row => row.state?.day ?? 0))
  }
}

describe('days older than 400 days', () => {
  test('are reduced to weeks with the same sums, and younger ones are not', async () => {
    const bssid = await newDevice(db)
    await storeDays(db, bssid, { days: 800, today, temperature: index => 10 + (index % 17) })
    await db
      .update(healthDays)
      .set({ max_run: 777 })
      .where(sql`bssid = ${bssid} and day = ${today - 700}`)
    const before = await rowsOf(bssid)
    await pruneHealth(db, now)
    const rows = await rowsOf(bssid)
    const weeks = rows.filter(({ days }) => days === 7)
    const single = rows.filter(({ days }) => days === 1)
    const sums = sumsOf(rows)
    for (const [name, value] of Object.entries(sumsOf(before))) expect(sums[name], name).toBeCloseTo(value, 6)
    expect(weeks.every(row => isMonday(row.day))).toBe(true)
    expect(weeks.length).toBeLessThan(60)
    // Only whole weeks are reduced.
    expect(single[0]!.day).toBe(weeks.at(-1)!.day + 7)
    expect(isMonday(single[0]!.day)).toBe(true)
    expect(today - single[0]!.day).toBeGreaterThanOrEqual(400)
    expect(today - single[0]!.day).toBeLessThan(407)
    expect(single).toEqual(before.slice(-single.length))
    expect(weeks.filter(({ max_run }) => max_run === 777)).toHaveLength(1)
  })

  test('are reduced once: the same day again changes nothing, and each week adds one', async () => {
    const bssid = await newDevice(db)
    await storeDays(db, bssid, { days: 800, today })
    await pruneHealth(db, now)
    const rows = await rowsOf(bssid)
    await pruneHealth(db, now)
    expect(await rowsOf(bssid)).toEqual(rows)
    await pruneHealth(db, after(7))
    const later = await rowsOf(bssid)
    expect(later.filter(({ days }) => days === 7)).toHaveLength(rows.filter(({ days }) => days === 7).length + 1)
    expect(later.filter(({ days }) => days === 1)).toHaveLength(rows.filter(({ days }) => days === 1).length - 7)
  })

  test('are deleted after five years', async () => {
    const bssid = await newDevice(db)
    await storeDays(db, bssid, { days: 1900, today })
    await pruneHealth(db, now)
    const [oldest] = await rowsOf(bssid)
    expect(today - oldest!.day).toBeGreaterThan(1820)
    expect(today - oldest!.day).toBeLessThan(1834)
    await pruneHealth(db, after(70))
    const [next] = await rowsOf(bssid)
    expect(next!.day - oldest!.day).toBe(70)
  })

  test('of many devices are reduced in steps of some of them', async () => {
    const bssids: string[] = []
    for (let count = 0; count < 230; count++) bssids.push(await newDevice(db))
    const columns = { n: 1, temperature: 15 }
    await db
      .insert(healthDays)
      .values(
        bssids.flatMap(bssid => Array.from({ length: 7 }, (_, index) => ({ bssid, day: 18_000 + index, ...columns }))),
      )
    await pruneHealth(db, new Date(18_500 * day))
    const rows = await db.select().from(healthDays).where(inArray(healthDays.bssid, bssids))
    expect(rows.every(({ days }) => days === 7)).toBe(true)
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(7 * bssids.length)
    expect(await db.$count(deviceHealth, sql`weeks_to < 18000`)).toBe(0)
  })
})

describe('with days of two years, the older ones kept as weeks', () => {
  const fouling: Course = index => ({ a: -0.09 * (index / 365) + (index < 660 ? 0 : -0.006 * (index - 660)) })

  test('the daily step tells the same as from days alone', async () => {
    const [whole, reduced] = [await newDevice(db), await newDevice(db)]
    for (const bssid of [whole, reduced]) await storeDays(db, bssid, { days: 700, today, course: fouling })
    await db.update(deviceHealth).set({ weeks_to: today }).where(eq(deviceHealth.bssid, whole))
    await pruneHealth(db, now)
    expect(await rowsOf(whole)).toHaveLength(700)
    expect((await rowsOf(reduced)).length).toBeLessThan(460)
    await stepAll([whole, reduced])
    const [one, other] = [(await healthOf(whole)).state!, (await healthOf(reduced)).state!]
    expect(other.day).toBe(one.day)
    expect(other.litres).toBeCloseTo(one.litres, 6)
    for (const channel of ['a', 'r', 'f'] as const) {
      expect(Math.abs(other.channels[channel]!.baseline! - one.channels[channel]!.baseline!), channel).toBeLessThan(
        0.02,
      )
      expect(Math.abs(other.channels[channel]!.level - one.channels[channel]!.level), channel).toBeLessThan(0.04)
    }
    for (const bssid of [whole, reduced])
      expect(await db.select().from(healthFindings).where(eq(healthFindings.bssid, bssid))).toMatchObject([
        { cause: 'fouling', state: 'open' },
      ])
  })

  test('a few hours of flow at rest in a week are no leak', async () => {
    const bssid = await newDevice(db)
    await storeDays(db, bssid, { days: 500, today })
    // An hour and a half a day counts on no day, and so on no week.
    await db.update(healthDays).set({ rest_hours: 1.5, rest_litres: 3 }).where(eq(healthDays.bssid, bssid))
    await pruneHealth(db, now)
    await stepAll([bssid])
    const { state } = await healthOf(bssid)
    expect(state!.count).toBe(0)
  })

  test('charts show them by week, in ranges of two and five years', async () => {
    const bssid = await newDevice(db, { vendor_id: demoId('account vendor') })
    await storeDays(db, bssid, { days: 700, today, course: index => ({ r: index < 200 ? 0 : -0.05 }) })
    await pruneHealth(db, now)
    await stepAll([bssid])
    const get = async (range: string) => {
      const answer = await call('GET', `/api/v3/devices/${bssid}/health?range=${range}`, { token })
      return answer.json<{ data: DeviceHealth }>().data.points
    }
    const points = await get('two_years')
    const weeks = points.filter(({ days }) => days === 7)
    expect(points.length - weeks.length).toBeGreaterThanOrEqual(400)
    expect(weeks.length).toBeGreaterThan(40)
    expect(weeks.length).toBeLessThan(45)
    expect(weeks.every(({ at }) => new Date(at).getUTCDay() === 1)).toBe(true)
    // A week has the mean of its days: here the first part lies 5 % above the second.
    const early = weeks[5]!.values.r!
    const late = points.at(-1)!.values.r!
    expect(early - late).toBeCloseTo(0.05, 1)
    expect(await get('five_years')).toEqual(points)
    expect((await get('year')).every(({ days }) => days === 1)).toBe(true)
  })
})

test('membranes are fitted from weeks, too', async () => {
  const [type] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.type, 2)).limit(1)
  await db.delete(deviceCartridges)
  const season = (index: number) => 14 + 8 * Math.sin((2 * Math.PI * index) / 365)
  const [water, salt] = [-400, 300]
  const course = (index: number) => {
    const inverse = 1 / 298 - 1 / (273 + season(index))
    return { a: water * inverse - (0.09 * index) / 365, b: salt * inverse + (0.1 * index) / 365 }
  }
  for (let count = 0; count < 31; count++) {
    const bssid = await newDevice(db)
    await db
      .insert(deviceCartridges)
      .values({ bssid, position: 0, cartridge_type_id: type!.id, installed_at: new Date(0) })
    await storeDays(db, bssid, { days: 250, today: today - 400, course, temperature: season })
  }
  await pruneHealth(db, now)
  expect(await fitMembranes(db, now)).toBe(1)
  const [fit] = await db.select().from(membraneFits)
  expect(Math.abs(fit!.water_k - water)).toBeLessThan(60)
  expect(Math.abs(fit!.salt_k - salt)).toBeLessThan(60)
})

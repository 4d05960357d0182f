/** What is collected of the health of devices is stored later, and once. */
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emptySums } from '../../../../src/domain/health/daySums.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { openHealthSums } from '../../../../server/devices/ingest/healthSums.ts'
import { openIngest } from '../../../../server/devices/ingest/readings.ts'
import type { ObservedReading } from '../../../../server/devices/ingest/production.ts'
import { breakingDatabase } from '../../support/database/breakingDatabase.ts'
import { startServer } from '../../support/harness.ts'
import { day, hour, minute, newDevice, readingAt, testParts } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { db, clock } = server
const parts = testParts(server)
const { healthSums } = parts

/** Noon UTC of yesterday. */
const noon = Math.floor(clock.now().getTime() / day) * day - day / 2
const today = Math.floor(noon / day)
const daysOf = (bssid: string) => db.select().from(healthDays).where(eq(healthDays.bssid, bssid))

/** Returns what a reading tells that counts one observation of feed and permeate. */
const observed = (bssid: string, at = noon): ObservedReading => ({
  reading: { bssid, at, reading: readingAt(at) },
  day: today,
  sums: { ...emptySums(), channels: { a: { n: 1, sum: 0.2, squares: 0.04 } }, n: 1, feed: 2, permeate: 1, max_run: 60 },
})
/** Returns what a reading tells that ends an hour of flow at rest. */
const rest = (bssid: string, at: number): ObservedReading => ({
  ...observed(bssid, at),
  day: null,
  sums: { ...emptySums(), rest_hours: 1, rest_litres: 2 },
})

test('the readings of a run are one change of its day', async () => {
  const bssid = await newDevice(db)
  const ingest = openIngest({ ...parts, batchInterval: 0 })
  const readings = Array.from({ length: 6 }, (_, index) =>
    readingAt(noon + index * 30_000, { permeate: 0.25, feed: 0.6 }),
  )
  for (const reading of readings) await ingest.add(bssid, [reading])
  expect(await daysOf(bssid)).toEqual([])
  await ingest.close()
  await healthSums.flush()
  expect(await daysOf(bssid)).toMatchObject([{ day: today, n: 6, a_n: 6 }])
})

test('sums are added to those of other servers', async () => {
  const bssid = await newDevice(db)
  const other = openHealthSums(parts)
  for (const sums of [healthSums, other, healthSums]) sums.add([observed(bssid)])
  await Promise.all([healthSums.flush(), other.close()])
  const [row] = await daysOf(bssid)
  expect(row).toMatchObject({ n: 3, feed: 6, permeate: 3, a_n: 3, max_run: 60 })
  expect(row!.a_sum).toBeCloseTo(0.6)
  expect(row!.a_squares).toBeCloseTo(0.12)
})

test('while the database fails nothing is lost, and afterwards it counts once', async () => {
  const bssid = await newDevice(db, { time_zone: 'Pacific/Auckland' })
  const lines: string[] = []
  const log = { info: (text: string) => lines.push(text), error: (text: string) => lines.push(text) }
  const breaking = breakingDatabase(db)
  const failing = openHealthSums({ ...parts, db: breaking.db, log })
  breaking.isBroken = true
  failing.add([observed(bssid)])
  await failing.flush()
  failing.add([observed(bssid), rest(bssid, noon)])
  await failing.flush()
  expect(await daysOf(bssid)).toEqual([])
  breaking.isBroken = false
  await failing.close()
  const stored = await daysOf(bssid)
  expect(stored.map(({ day, n, rest_hours }) => ({ day, n, rest_hours }))).toEqual(
    expect.arrayContaining([
      { day: today, n: 2, rest_hours: 0 },
      { day: today + 1, n: 0, rest_hours: 1 },
    ]),
  )
  expect(stored).toHaveLength(2)
  expect(lines).toEqual(['Could not store days of health', 'Storing days of health works again'])
  await failing.flush()
  expect(await daysOf(bssid)).toEqual(stored)
})

test('a value that cannot be stored is lost with its day alone, and is logged', async () => {
  const [odd, sound] = [await newDevice(db), await newDevice(db)]
  const lines: string[] = []
  const sums = openHealthSums({ ...parts, log: { ...parts.log, error: text => lines.push(text) } })
  const bad = observed(odd)
  sums.add([
    observed(odd, noon - day),
    { ...bad, sums: { ...bad.sums, max_run: 6e9 } },
    ...Array.from({ length: 5 }, (_, index) => ({ ...observed(sound), day: today - index })),
  ])
  await sums.flush()
  expect(await db.$count(healthDays, eq(healthDays.bssid, sound))).toBe(5)
  expect(lines).toEqual([`A day of health of ${odd} was dropped, because a value of it cannot be stored`])
  await sums.close()
  expect(lines).toHaveLength(1)
})

test('a device that was deleted meanwhile leaves no days, and others keep theirs', async () => {
  const [gone, kept] = [await newDevice(db), await newDevice(db)]
  healthSums.add([observed(gone), observed(kept)])
  await db.delete(devices).where(eq(devices.bssid, gone))
  await healthSums.flush()
  expect(await daysOf(gone)).toEqual([])
  expect(await daysOf(kept)).toMatchObject([{ n: 1 }])
})

test('more days than one statement takes are all stored', async () => {
  const bssid = await newDevice(db)
  healthSums.add(Array.from({ length: 2500 }, (_, index) => ({ ...observed(bssid), day: today - index })))
  await healthSums.flush()
  expect(await db.$count(healthDays, eq(healthDays.bssid, bssid))).toBe(2500)
})

test('hours of flow at rest make the step of their device due once they are stored', async () => {
  const bssid = await newDevice(db)
  await db.update(deviceHealth).set({ due_at: sql`now() + interval '1 day'` })
  healthSums.add(Array.from({ length: 4 }, (_, index) => rest(bssid, noon + index * hour + minute)))
  await healthSums.flush()
  const [health] = await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, bssid))
  expect(health!.due_at.getTime()).toBeLessThanOrEqual(clock.now().getTime())
})

test('what comes after the end does not keep the process alive', async () => {
  const closed = openHealthSums(parts)
  await closed.close()
  const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length
  const late = [observed(await newDevice(db))]
  const before = timers()
  closed.add(late)
  expect(timers()).toBe(before)
})

/** Partitions in PostgreSQL: charts read only those of their time, and new ones hold up nobody. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Range } from '../../../src/api/contract/statistics.ts'
import type { Database } from '../../../server/db/database.ts'
import { bucketsOfPeriod, newestBuckets } from '../../../src/domain/buckets.ts'
import { readingHours } from '../../../server/db/schema/telemetry.ts'
import {
  dayNumber,
  openPartitions,
  partitionOf,
  type PartitionedTable,
} from '../../../server/telemetry/postgres/partitions.ts'
import { openPostgresTelemetry } from '../../../server/telemetry/postgres/store.ts'
import { startServer } from '../support/harness.ts'
import { day, newDevice } from '../support/devices/readingSamples.ts'

const { db } = await startServer()
const now = Date.parse('2026-07-20T12:00:00Z')
const sums: readonly PartitionedTable[] = ['reading_ten_minutes', 'reading_hours', 'reading_days']
await openPartitions(db).ensure(
  sums,
  Array.from({ length: 3 * 365 }, (_, ago) => dayNumber(now) - ago),
)

/** Returns the partitions of sums that the transaction has opened. */
async function opened(tx: Database): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select distinct inhrelid::regclass::text as name from pg_locks join pg_inherits on inhrelid = relation
    where pid = pg_backend_pid() and inhparent = any(${sql.param(sums)}::regclass[]) order by 1`)
  return rows.map(({ name }) => name)
}
const namesOf = (table: PartitionedTable, from: number, to: number) =>
  new Set(
    Array.from({ length: (to - from) / day + 1 }, (_, place) => partitionOf(table, dayNumber(from + place * day))),
  )

/** Returns the partitions that a chart of a new device opens. */
async function openedBy(range: Range): Promise<string[]> {
  const bssid = await newDevice(db)
  const { edges } = newestBuckets(range, now, 'UTC')
  return db.transaction(async tx => {
    await openPostgresTelemetry(tx).means([bssid], { range, zone: 'UTC', edges }, new Date(now))
    return opened(tx)
  })
}

test('charts open only the partitions of their time', async () => {
  expect(await openedBy('day')).toEqual([...namesOf('reading_ten_minutes', now - day, now)])
  const week = await openedBy('week')
  expect(week.filter(name => name.startsWith('reading_hours'))).toEqual([
    ...namesOf('reading_hours', now - 7 * day, now),
  ])
  expect(week.filter(name => name.startsWith('reading_ten_minutes'))).toHaveLength(2)
  const year = await openedBy('year')
  expect(year.filter(name => name.startsWith('reading_days')).length).toBeLessThanOrEqual(3)
  expect(year.filter(name => name.startsWith('reading_hours')).length).toBeLessThanOrEqual(14)
})

/** Returns the partitions of the sums of days. */
async function partitionsOfDays(): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'reading_days'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}
/** Returns the feed of each day with readings in the year of `until`. */
async function feedsOfYear(bssid: string, until: string): Promise<readonly (number | null)[]> {
  const { edges } = bucketsOfPeriod('year', Date.parse(until), 'UTC')
  const grid = { range: 'year', zone: 'UTC', edges } as const
  return (await openPostgresTelemetry(db).means([bssid], grid, new Date(now))).get(bssid)?.feed ?? []
}

test('the chart of a year creates partitions only for days with readings, and stores these days at once', async () => {
  const bssid = await newDevice(db)
  const before = await partitionsOfDays()
  expect(await feedsOfYear(bssid, '1950-06-01T00:00:00Z')).toEqual([])
  expect(await partitionsOfDays()).toEqual(before)
  const at = Date.parse('1960-03-05T10:00:00Z')
  await openPartitions(db).ensure(['reading_hours'], [dayNumber(at)])
  await db.insert(readingHours).values({ bssid, at: new Date(at), feed: 7 })
  expect(await feedsOfYear(bssid, '1960-06-01T00:00:00Z')).toEqual([7])
  const created = (await partitionsOfDays()).filter(name => !before.includes(name))
  expect(created).toEqual([partitionOf('reading_days', dayNumber(at))])
  const { rows } = await db.execute(sql`select zone, feed from reading_days where bssid = ${bssid}`)
  expect(rows).toEqual([{ zone: 'UTC', feed: 7 }])
})

test('a new partition waits neither for a chart nor for sums that are being written', async () => {
  const later = dayNumber(now + 100 * day)
  await db.transaction(async tx => {
    await tx.execute(sql`select from reading_hours limit 1`)
    await tx.execute(sql`delete from reading_hours where at < '2000-01-01'`)
    await openPartitions(db).ensure(['reading_hours'], [later])
  })
  const { rows } = await db.execute<{ name: string | null }>(
    sql`select to_regclass(${partitionOf('reading_hours', later)})::text as name`,
  )
  expect(rows[0]!.name).not.toBeNull()
})

test('a partition is not dropped while a chart is read, and readings do not wait for it', async () => {
  const partitions = openPartitions(db)
  const old = dayNumber(now - 1_000 * day)
  await partitions.ensure(['readings'], [old])
  const isThere = async () => (await partitions.daysOfReadings()).includes(old)
  const drop = () => partitions.dropBefore('readings', (old + 1) * day)
  await db.transaction(async tx => {
    await tx.execute(sql`select from readings limit 1`)
    const started = performance.now()
    await drop()
    expect(performance.now() - started).toBeLessThan(5_000)
  })
  expect(await isThere()).toBe(true)
  await drop()
  expect(await isThere()).toBe(false)
})

/**
 * Sums over readings, by ten minutes and by hour.
 *
 * They are made in steps: once an hour has been over for a while, the sums of all devices are computed in one statement, and
 * `telemetry_state` says up to which time that is done. Charts add up the later readings themselves. A reading that comes
 * after its hour was summed is late: the server that stores it computes the sums of its device and hour again. Sums are always those
 * of all stored readings of their bucket and replace one another, so computing them twice changes nothing.
 */
import { sql } from 'drizzle-orm'
import { isoOf, msPerHour, msPerMinute } from '../../../src/domain/time.ts'
import { summingLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { telemetryState } from '../../db/schema/telemetry.ts'
import type { ReadingKey } from '../store.ts'
import { lastSummed } from '../summing.ts'
import { inParts, quoted, type Connection } from './connection.ts'
import { sources, sumColumns } from './tables.ts'

/** Returns the number of the hour of a time. */
export const hourOf = (at: number): number => Math.floor(at / msPerHour)

const hasFlow = 'ifNull(permeate_flow, 0) > 0'
const sumAndCount = (column: string) => [`ifNull(sum(${column}), 0)`, `toUInt32(count(${column}))`]

/** The expressions for `sumColumns` over readings. */
const sumsOfReadings = [
  'toUInt32(count())',
  'sum(feed)',
  'sum(permeate)',
  `sumIf(ifNull(permeate_flow, 0), ${hasFlow})`,
  `toUInt32(countIf(${hasFlow}))`,
  ...['feed_tds', 'permeate_tds', 'pressure', 'temperature'].flatMap(sumAndCount),
  `maxIf(at, ${hasFlow})`,
  `if(countIf(${hasFlow}) = 0, toInt64(-1), argMaxIf(ifNull(feed_flow, toInt64(-1)), at, ${hasFlow}))`,
  `if(countIf(${hasFlow}) = 0, toInt64(-1), argMaxIf(ifNull(permeate_flow, toInt64(-1)), at, ${hasFlow}))`,
].join(', ')

/** Returns a query for the sums of readings by device and bucket, in the order of a table's columns. */
export const sumsOf = (length: number, where: string): string => `
  select bssid, intDiv(at, ${length}) * ${length} as bucket, toUInt8(${sources.computed}), ${sumsOfReadings}
  from readings final where ${where} group by bssid, bucket`

/** Computes and stores the sums of the readings that fulfil a condition, which must be all those of their hours. */
async function sum(connection: Connection, where: string): Promise<void> {
  const columns = ['bssid', 'at', 'source', ...sumColumns].join(', ')
  for (const [table, length] of [
    ['ten_minutes', 10 * msPerMinute],
    ['hours', msPerHour],
  ] as const)
    await connection.run(`insert into ${table} (${columns}) ${sumsOf(length, where)}`)
}

/** Computes the sums of the hours of late readings. */
export async function sumLate(connection: Connection, late: readonly ReadingKey[]): Promise<void> {
  const keys = new Set(late.map(({ bssid, at }) => `(${hourOf(at)}, ${quoted(bssid)})`))
  for (const part of inParts([...keys])) await sum(connection, `(hour, bssid) in (${part.join(', ')})`)
}

/**
 * Sums the hours that have been over for a while. Before it reads their readings, it announces them as summed to those that
 * store readings, and waits for what these are storing: they hold `summingLock` meanwhile. Goes on where it failed or was
 * stopped before. `now`: milliseconds UTC.
 */
export async function sumEnded(db: Database, connection: Connection, now: number, stop: AbortSignal): Promise<void> {
  const { summedUntil } = await readState(db)
  const until = lastSummed(now)
  if (until <= summedUntil) return
  await db.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(${summingLock})`)
    await tx.update(telemetryState).set({ summing_until: sql`greatest(summing_until, ${isoOf(until)})` })
  })
  const hours = await connection.rows<{ hour: number }>(
    `select distinct hour from readings where hour >= ${hourOf(summedUntil)} and hour < ${hourOf(until)} order by hour`,
  )
  for (const { hour } of hours) {
    if (stop.aborted) return
    await sum(connection, `hour = ${hour}`)
    await storeSummed(db, (hour + 1) * msPerHour)
  }
  await storeSummed(db, until)
}

/** Stores up to which time readings have been summed, milliseconds UTC. */
async function storeSummed(db: Database, until: number): Promise<void> {
  await db.update(telemetryState).set({ summed_until: sql`greatest(summed_until, ${isoOf(until)})` })
}

/** Returns the time up to which readings have been summed, milliseconds UTC. */
export async function readState(db: Database): Promise<{ readonly summedUntil: number }> {
  const [row] = await db.select({ summed_until: telemetryState.summed_until }).from(telemetryState)
  return { summedUntil: row!.summed_until!.getTime() }
}

/** Telemetry in PostgreSQL, beside everything else. */
import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { sqlState, withRetry } from '../../db/retry.ts'
import { readingDays, readingHours, readings, readingTenMinutes } from '../../db/schema/telemetry.ts'
import type { Grid, TelemetryStore } from '../store.ts'
import { lastSummed } from '../summing.ts'
import { sumsOfHours, sumsOfTenMinutes } from './bucketSums.ts'
import { meansOfDays } from './days.ts'
import { dayNumber, openPartitions, type Partitions } from './partitions.ts'
import { queryMeans } from './queryMeans.ts'
import { readReadings } from './readReadings.ts'
import { deleteOrphanedTelemetry, dropOld } from './retention.ts'
import { writeRollups } from './rollups.ts'
import { storeReadings } from './storeReadings.ts'
import { sumEnded } from './unsummed.ts'
import { instant, keyArray } from './values.ts'

export function openPostgresTelemetry(db: Database): TelemetryStore {
  const partitions = openPartitions(db)
  /** The end of the last hour for which all devices were summed, milliseconds UTC. */
  let summedFor: number | undefined
  /** Runs what writes into partitions, and once more if another process has dropped one of them. */
  const withPartitions = async <Result>(ensure: () => Promise<void>, work: () => Promise<Result>): Promise<Result> => {
    const attempt = () => ensure().then(work)
    try {
      return await attempt()
    } catch (error) {
      if (sqlState(error) !== checkViolation) throw error
      partitions.invalidate()
      return attempt()
    }
  }
  const sum = (now: number, stop: AbortSignal) =>
    withPartitions(
      // The sums of old readings may have been dropped before these readings came.
      async () => partitions.ensure(tablesOfSums, await partitions.daysOfReadings()),
      () => sumEnded(db, now, stop),
    )
  return {
    maxBatch: 1_000,
    write: batch => {
      const days = batch.readings.map(({ at }) => dayNumber(at))
      return withPartitions(
        () => partitions.ensure(['readings', ...tablesOfSums], days),
        () => withRetry(() => storeReadings(db, batch)),
      )
    },
    read: keys => readReadings(db, keys),
    means: (bssids, grid, now) => meansOf(db, partitions, bssids, grid, now),
    importRollups: writeRollups,
    devicesWithHistory,
    settleImport: async () => {
      // Updates the visibility map, so that the next start can check for history with index-only scans.
      for (const table of [readingDays, readingHours, readingTenMinutes]) {
        await db.execute(sql`vacuum ${table}`)
        await nextTick()
      }
    },
    prepare: async (now, stop) => {
      // The partitions of today and tomorrow, so that no reading waits for them.
      await partitions.ensure(['readings', ...tablesOfSums], [dayNumber(now), dayNumber(now) + 1])
      if (summedFor === lastSummed(now)) return
      await sum(now, stop)
      if (!stop.aborted) summedFor = lastSummed(now)
    },
    retain: async (now, policy, stop) => {
      // Also the readings that came for an hour after it was summed: they may be old enough to be dropped.
      await sum(now, stop)
      if (!stop.aborted) await dropOld(partitions, now, policy)
    },
    forgetDeleted: (stop, maxTime) => deleteOrphanedTelemetry(db, stop, maxTime),
    // Whether PostgreSQL answers is the state of the database, which the server watches.
    canStore: () => true,
    close: async () => undefined,
  }
}

/** SQLSTATE `check_violation`, which PostgreSQL also reports for a row without a matching partition. */
const checkViolation = '23514'

/** The tables to whose sums readings are added. */
const tablesOfSums = ['reading_ten_minutes', 'reading_hours'] as const

/** Reads the rollups for a range: ten minutes for a day, hours for a week and a month, days for a year. */
function meansOf(
  db: Database,
  partitions: Partitions,
  bssids: readonly string[],
  { range, zone, edges }: Grid,
  now: Date,
) {
  if (range === 'year') return meansOfDays(db, partitions, bssids, zone, edges, now.getTime())
  const whole = [{ from: edges[0]!, to: edges.at(-1)! }]
  return queryMeans(
    db,
    range === 'day' ? sumsOfTenMinutes(bssids, edges) : sumsOfHours(bssids, edges, whole, { history: false }),
  )
}

async function devicesWithHistory(
  tx: Database,
  bssids: readonly string[],
  before: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.execute<{ bssid: string }>(sql`
    select bssid from unnest(${keyArray(bssids)}) as device (bssid)
    where exists (select from ${readingHours}
        where ${readingHours.bssid} = device.bssid and ${readingHours.at} < ${instant(before)})
      or exists (select from ${readings} where ${readings.bssid} = device.bssid and ${readings.at} < ${instant(before)})
      or exists (select from ${readingDays} where ${readingDays.bssid} = device.bssid and ${readingDays.zone} = '')`)
  return new Set(rows.map(({ bssid }) => bssid))
}

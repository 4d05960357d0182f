/** Reads the batches of readings that wait for their evaluation. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceTwins, unevaluatedReadings } from '../../db/schema/telemetry.ts'
import type { ReceivedReading, TelemetryStore } from '../../telemetry/store.ts'

/** Batches per query. */
export const batchesPerQuery = 10

export interface UnevaluatedBatch {
  readonly id: string
  /** In the order of their evaluation, without those that have been removed since. */
  readonly readings: readonly ReceivedReading[]
}

/** Returns the oldest batches that were stored before `before`, oldest first. */
export async function readUnevaluated(
  db: Database,
  telemetry: TelemetryStore,
  before: Date,
): Promise<UnevaluatedBatch[]> {
  const batches = await db
    .select({ id: unevaluatedReadings.id, bssids: unevaluatedReadings.bssids, ats: unevaluatedReadings.ats })
    .from(unevaluatedReadings)
    .where(sql`${unevaluatedReadings.stored_at} < ${before.toISOString()}::timestamptz`)
    .orderBy(unevaluatedReadings.stored_at, unevaluatedReadings.id)
    .limit(batchesPerQuery)
  const result: UnevaluatedBatch[] = []
  for (const { id, bssids, ats } of batches) {
    const keys = bssids.map((bssid, place) => ({ bssid, at: ats[place]!.getTime() }))
    result.push({ id, readings: await telemetry.read(keys) })
  }
  return result
}

/**
 * Returns the time of the newest stored reading of devices, milliseconds UTC; without those whose newest one still waits for its
 * evaluation.
 */
export async function newestEvaluated(db: Database, bssids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const keys = sql`${sql.param([...new Set(bssids)])}::text[]`
  const { rows } = await db.execute<{ bssid: string; at: number }>(sql`
    with waiting as materialized (
      select reading.bssid, reading.at from ${unevaluatedReadings} as batch
      cross join unnest(batch.bssids, batch.ats) as reading (bssid, at) where batch.bssids && ${keys}
    )
    select bssid, (extract(epoch from reading_at) * 1000)::float8 as at from ${deviceTwins} as twin
    where bssid = any(${keys}) and reading_at is not null and not exists (
      select from waiting where waiting.bssid = twin.bssid and waiting.at = coalesce(twin.last_reading_at, twin.reading_at))`)
  return new Map(rows.map(({ bssid, at }) => [bssid, at]))
}

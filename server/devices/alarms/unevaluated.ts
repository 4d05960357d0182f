/** Reads the batches of readings that wait for their evaluation. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { unevaluatedReadings } from '../../db/schema/telemetry.ts'
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

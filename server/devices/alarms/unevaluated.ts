/** Reads the batches of readings that wait for their evaluation. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { readings, unevaluatedReadings } from '../../db/schema/telemetry.ts'
import type { Reading } from '../../protocol/messages.ts'

/** Batches per query. */
export const batchesPerQuery = 10

export interface UnevaluatedBatch {
  readonly id: string
  /** In the order of their evaluation, without those that have been removed since. */
  readonly readings: readonly { readonly bssid: string; readonly reading: Reading }[]
}

/** Returns the oldest batches that were stored before `before`, oldest first. */
export async function readUnevaluated(db: Database, before: Date): Promise<UnevaluatedBatch[]> {
  const batches = await db
    .select({ id: unevaluatedReadings.id })
    .from(unevaluatedReadings)
    .where(sql`${unevaluatedReadings.stored_at} < ${before.toISOString()}::timestamptz`)
    .orderBy(unevaluatedReadings.stored_at, unevaluatedReadings.id)
    .limit(batchesPerQuery)
  const result: UnevaluatedBatch[] = []
  for (const { id } of batches) result.push({ id, readings: await readingsOf(db, id) })
  return result
}

type Row = Omit<Reading, 'at'> & { readonly bssid: string; readonly ms: number }

async function readingsOf(db: Database, batch: string): Promise<UnevaluatedBatch['readings']> {
  const { rows } = await db.execute<Row & Record<string, unknown>>(sql`
    select waiting.bssid, (extract(epoch from waiting.at) * 1000)::float8 as ms, reading.feed, reading.permeate,
      reading.feed_flow, reading.permeate_flow, reading.feed_tds, reading.permeate_tds, reading.pressure,
      reading.temperature
    from ${unevaluatedReadings} as batch
    cross join unnest(batch.bssids, batch.ats) with ordinality as waiting (bssid, at, place)
    join ${readings} as reading on reading.bssid = waiting.bssid and reading.at = waiting.at
    where batch.id = ${batch} order by waiting.place`)
  return rows.map(({ bssid, ms, ...values }) => ({ bssid, reading: { ...values, at: new Date(ms).toISOString() } }))
}

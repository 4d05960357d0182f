/** Reads single readings. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { readings } from '../../db/schema/telemetry.ts'
import type { Reading } from '../../protocol/messages.ts'
import { inputRows, type ColumnOf } from '../../db/columnArrays.ts'
import type { ReadingKey, ReceivedReading } from '../store.ts'

const columns: readonly ColumnOf<ReadingKey & { readonly place: number }>[] = [
  { name: 'bssid', type: 'key', value: key => key.bssid },
  { name: 'at', type: 'time', value: key => key.at },
  { name: 'place', type: 'whole', value: key => key.place },
]

type Row = Omit<Reading, 'at'> & { readonly bssid: string; readonly ms: number }

/** Returns the stored readings of these keys, see `TelemetryStore.read`. */
export async function readReadings(db: Database, keys: readonly ReadingKey[]): Promise<ReceivedReading[]> {
  const input = inputRows(
    columns,
    keys.map((key, place) => ({ ...key, place })),
  )
  const { rows } = await db.execute<Row & Record<string, unknown>>(sql`
    select reading.bssid, (extract(epoch from reading.at) * 1000)::float8 as ms, reading.feed, reading.permeate,
      reading.feed_flow, reading.permeate_flow, reading.feed_tds, reading.permeate_tds, reading.pressure,
      reading.temperature
    from ${input} join ${readings} as reading using (bssid, at) order by place`)
  return rows.map(({ bssid, ms, ...values }) => ({
    bssid,
    at: ms,
    reading: { ...values, at: new Date(ms).toISOString() },
  }))
}

/** Writes and reads single readings. */
import { inArray } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { telemetryBatches } from '../../db/schema/telemetry.ts'
import { readingValues } from '../readingValues.ts'
import type { ReadingKey, ReceivedReading } from '../store.ts'
import { cell, inParts, quoted, type Connection } from './connection.ts'
import { hourOf } from './sums.ts'

const columns = ['hour', 'bssid', 'at', ...readingValues, 'batch']

/** Inserts readings. `batch`: the number of their batch. */
export const insertReadings = (
  connection: Connection,
  readings: readonly ReceivedReading[],
  batch: number,
): Promise<void> =>
  connection.insert(
    'readings',
    columns,
    readings.map(({ bssid, at, reading }) => [
      hourOf(at),
      bssid,
      at,
      ...readingValues.map(name => cell(reading[name])),
      batch,
    ]),
  )

const keyOf = ({ bssid, at }: ReadingKey) => `${bssid} ${at}`

/** Returns the condition that a row has one of these keys. */
const isOneOf = (keys: readonly ReadingKey[]) =>
  `(hour, bssid, at) in (${keys.map(({ bssid, at }) => `(${hourOf(at)}, ${quoted(bssid)}, ${at})`).join(', ')})`

type StoredRow = { readonly bssid: string; readonly at: string } & Readonly<
  Record<(typeof readingValues)[number], string | null>
>

/** Returns the stored readings of these keys, see `TelemetryStore.read`. */
export async function readReadings(
  connection: Connection,
  keys: readonly ReadingKey[],
): Promise<readonly ReceivedReading[]> {
  const found = new Map<string, ReceivedReading>()
  for (const part of inParts(keys)) {
    const rows = await connection.rows<StoredRow>(
      `select bssid, at, ${readingValues.join(', ')} from readings final where ${isOneOf(part)}`,
    )
    for (const row of rows) {
      const at = Number(row.at)
      const amount = (name: (typeof readingValues)[number]) => (row[name] === null ? null : Number(row[name]) / 1e6)
      found.set(keyOf({ bssid: row.bssid, at }), {
        bssid: row.bssid,
        at,
        reading: {
          at: new Date(at).toISOString(),
          feed: amount('feed')!,
          permeate: amount('permeate')!,
          feed_flow: amount('feed_flow'),
          permeate_flow: amount('permeate_flow'),
          feed_tds: amount('feed_tds'),
          permeate_tds: amount('permeate_tds'),
          pressure: amount('pressure'),
          temperature: amount('temperature'),
        },
      })
    }
  }
  return keys.flatMap(key => found.get(keyOf(key)) ?? [])
}

/**
 * Returns the readings that are not stored, or only by a batch that was not counted because its server ended before. `tx`: the
 * transaction that has locked their devices.
 */
export async function withoutCounted<Key extends ReadingKey>(
  tx: Database,
  connection: Connection,
  readings: readonly Key[],
): Promise<readonly Key[]> {
  const stored: { readonly bssid: string; readonly at: string; readonly batch: string }[] = []
  for (const part of inParts(readings))
    stored.push(
      ...(await connection.rows<(typeof stored)[number]>(
        `select bssid, at, batch from readings where ${isOneOf(part)}`,
      )),
    )
  if (stored.length === 0) return readings
  const batches = [...new Set(stored.map(({ batch }) => Number(batch)))]
  const counted = await tx
    .select({ id: telemetryBatches.id })
    .from(telemetryBatches)
    .where(inArray(telemetryBatches.id, batches))
  const ids = new Set(counted.map(({ id }) => id))
  const keys = new Set(
    stored.filter(({ batch }) => ids.has(Number(batch))).map(({ bssid, at }) => keyOf({ bssid, at: Number(at) })),
  )
  return readings.filter(key => !keys.has(keyOf(key)))
}

/** Stores readings with what is derived from them: twins, lifetime volumes, and sums of late ones. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import { deviceTwins, readings } from '../../db/schema/telemetry.ts'
import { inputValues, preparedInput } from '../../db/columnArrays.ts'
import { changesOfBatch, readingColumns, receivedColumns } from '../changes.ts'
import type { Batch, ReceivedReading, StoreResult } from '../store.ts'
import { deleteDaysOf } from './days.ts'
import { addSumsOf } from './addSums.ts'
import { msPerHour } from '../../../src/domain/time.ts'

/** Age in milliseconds from which a reading is late; less than the hour after which days are rolled up (days.ts). */
const lateAfter = msPerHour / 2

/**
 * Stores a batch atomically: new readings, sums of the late ones, the devices' latest values and lifetime litres, and which
 * readings are to be evaluated. The partitions must exist.
 *
 * Storing readings of a device locks its twin. Twins are locked in order of their keys, so that concurrent processes
 * cannot deadlock.
 */
export function storeReadings(db: Database, batch: Batch): Promise<StoreResult> {
  const isLate = ({ at }: ReceivedReading) => at < batch.storedAt - lateAfter
  if (!batch.readings.some(isLate)) return store(db, batch)
  return db.transaction(async tx => {
    const stored = await store(tx, batch)
    // A separate statement, which sees days that were stored before the twins were locked.
    await deleteDaysOf(tx, stored.fresh.filter(isLate))
    return stored
  })
}

/** Returns the statement that inserts the readings of known devices that fulfil a condition. */
const insertReadings = (condition: SQL): SQL => sql`
  insert into ${readings} (bssid, at, feed, permeate, feed_flow, permeate_flow, feed_tds, permeate_tds, pressure,
    temperature)
  select bssid, at, feed, permeate, feed_flow, permeate_flow, feed_tds, permeate_tds, pressure, temperature
  from input join twins using (bssid) where ${condition} order by bssid, at`

const statement = prepareStatement<{ fresh: string | null; unknown: string | null }>(
  'store_readings',
  sql`
    with input as materialized (select * from ${preparedInput('readings', readingColumns)}),
    received as materialized (select * from ${preparedInput('received', receivedColumns)}),
    twins as materialized (
      select bssid, last_reading_at, summed_until from ${deviceTwins} where bssid in (select bssid from received) order by bssid
      for no key update
    ),
    -- Without looking for conflicts, which writes a record of its own for each row.
    newest_stored as (${insertReadings(sql`at > last_reading_at`)} returning bssid, at),
    older_stored as (
      ${insertReadings(sql`at > last_reading_at is not true`)} on conflict do nothing returning bssid, at
    ),
    stored as (select * from newest_stored union all select * from older_stored),
    -- From the input, because stored values are rounded to the precision of a real.
    fresh as materialized (select input.* from input join stored using (bssid, at)),
    late as (select fresh.* from fresh join twins using (bssid) where fresh.at < twins.summed_until),
    ${addSumsOf('late')},
    ${changesOfBatch}
    select (select json_agg(row_index order by row_index) from fresh)::text as fresh,
      (select json_agg(bssid) from received where bssid not in (select bssid from twins))::text as unknown`,
)

/**
 * Readings and devices per statement up to which its plan is kept: with nested loops over its rows, storing a thousand would
 * take three times as long.
 */
const maxPlanned = 50

async function store(db: Database, batch: Batch): Promise<StoreResult> {
  const { readings: sorted } = batch
  const rows = sorted.map((reading, row_index) => ({ ...reading, row_index }))
  const values = {
    id: batch.id,
    stored_at: new Date(batch.storedAt).toISOString(),
    ...inputValues('readings', readingColumns, rows),
    ...inputValues('received', receivedColumns, [...batch.received]),
  }
  const [row] = await statement(db, values, {
    keepPlan: rows.length <= maxPlanned && batch.received.size <= maxPlanned,
  })
  const indices = JSON.parse(row?.fresh ?? '[]') as number[]
  return { fresh: indices.map(index => sorted[index]!), unknown: JSON.parse(row?.unknown ?? '[]') as string[] }
}

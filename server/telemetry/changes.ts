/** The changes that a stored batch of readings makes in PostgreSQL, also if the readings themselves are in ClickHouse. */
import { sql, type SQL } from 'drizzle-orm'
import type { ColumnOf } from '../db/columnArrays.ts'
import { unevaluatedReadings } from '../db/schema/telemetry.ts'
import { readingValues } from './readingValues.ts'
import type { ReceivedReading } from './store.ts'

/** The columns of readings as input of a statement; `row_index` is their place in the batch. */
export const readingColumns: readonly ColumnOf<ReceivedReading & { readonly row_index: number }>[] = [
  { name: 'row_index', type: 'whole', value: row => row.row_index },
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'at', type: 'time', value: row => row.at },
  ...readingValues.map((name): ColumnOf<ReceivedReading> => ({
    name,
    type: 'amount',
    value: ({ reading }) => reading[name],
  })),
]

/** The columns of `Batch.received` as input of a statement. */
export const receivedColumns: readonly ColumnOf<readonly [string, number]>[] = [
  { name: 'bssid', type: 'key', value: ([bssid]) => bssid },
  { name: 'at', type: 'time', value: ([, at]) => at },
]

/** Returns a percentage rounded to hundredths; null if the whole is 0 or null. */
const percent = (part: SQL, whole: SQL): SQL =>
  sql`round((${part})::numeric / nullif(${whole}, 0)::numeric * 100, 2)::float8`

/** SQL: whether the reading is at least as new as the twin's; of two with the same capped time, the later one wins. */
const atLeastAsNew = sql`newest.capped_at >= coalesce(twin.reading_at, '-infinity')`

/**
 * Updates the twins with the newest values. Without permeate the recovery is undefined, so the last one is kept, unless
 * a flow sensor has failed. Rejection may be negative, which reveals a faulty sensor.
 */
const updateTwins: SQL = sql`
  update device_twins as twin set
    heard_at = greatest(twin.heard_at, received.at),
    feed = twin.feed + coalesce(volumes.feed, 0),
    permeate = twin.permeate + coalesce(volumes.permeate, 0),
    waste = twin.waste + coalesce(volumes.waste, 0),
    reading_at = greatest(twin.reading_at, newest.capped_at),
    last_reading_at = greatest(twin.last_reading_at, newest.at),
    temperature = case when ${atLeastAsNew} then newest.temperature else twin.temperature end,
    pressure = case when ${atLeastAsNew} then newest.pressure else twin.pressure end,
    feed_tds = case when ${atLeastAsNew} then newest.feed_tds else twin.feed_tds end,
    permeate_tds = case when ${atLeastAsNew} then newest.permeate_tds else twin.permeate_tds end,
    rejection_rate = case when ${atLeastAsNew}
      then ${percent(sql`newest.feed_tds - newest.permeate_tds`, sql`newest.feed_tds`)} else twin.rejection_rate end,
    recovery_rate = case
      when newest.capped_at is null or newest.capped_at < twin.reading_at then twin.recovery_rate
      when newest.permeate > 0 and newest.feed > 0 then ${percent(sql`newest.permeate`, sql`newest.feed`)}
      when newest.feed_flow is null or newest.permeate_flow is null then null
      else twin.recovery_rate end
  from received left join newest using (bssid) left join volumes using (bssid)
  where twin.bssid = received.bssid`

/**
 * The queries of a `with` clause that change the twins and the batches that wait for their evaluation. The statement must
 * define `fresh`, the readings to count, and `received` before them, and bind the placeholders `id` and `stored_at`.
 */
export const changesOfBatch: SQL = sql`
  -- Future timestamps are capped as for alarms: otherwise readings after a clock correction would not be shown.
  newest as (
    select distinct on (bssid) fresh.*, least(fresh.at, received.at) as capped_at from fresh join received using (bssid)
    order by bssid, capped_at desc, fresh.at desc
  ),
  volumes as (
    select bssid, sum(feed) as feed, sum(permeate) as permeate, sum(greatest(feed - permeate, 0)) as waste
    from fresh group by bssid
  ),
  updated_twins as (${updateTwins}),
  unevaluated as (
    insert into ${unevaluatedReadings} (id, stored_at, bssids, ats)
    select ${sql.placeholder('id')}, ${sql.placeholder('stored_at')}::text::timestamptz, array_agg(bssid order by row_index),
      array_agg(at order by row_index)
    from fresh having count(*) > 0
  )`

/** Stores readings with everything derived from them: rollups, twins and lifetime volumes. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import {
  deviceTwins,
  readingHours,
  readings,
  readingTenMinutes,
  unevaluatedReadings,
} from '../../db/schema/telemetry.ts'
import { inputValues, preparedInput, type ColumnOf } from '../../db/columnArrays.ts'
import { addHealthDays, healthColumns } from '../derived/healthRows.ts'
import type { Batch, ReceivedReading, StoreResult } from '../store.ts'
import { deleteDaysOf } from './days.ts'
import { addOnConflict, rollupColumns } from './rollups.ts'
import { rollupValues, sumsOfReadings, sumsOfRollups } from './sums.ts'
import { msPerHour } from '../../../src/domain/time.ts'

const readingColumns: readonly ColumnOf<ReceivedReading & { readonly row_index: number }>[] = [
  { name: 'row_index', type: 'whole', value: row => row.row_index },
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'at', type: 'time', value: row => row.at },
  ...(
    ['feed', 'permeate', 'feed_flow', 'permeate_flow', 'feed_tds', 'permeate_tds', 'pressure', 'temperature'] as const
  ).map((name): ColumnOf<ReceivedReading> => ({ name, type: 'amount', value: ({ reading }) => reading[name] })),
]
const receivedColumns: readonly ColumnOf<readonly [string, number]>[] = [
  { name: 'bssid', type: 'key', value: ([bssid]) => bssid },
  { name: 'at', type: 'time', value: ([, at]) => at },
]

/** Age in milliseconds from which a reading is late; less than the hour after which days are rolled up (days.ts). */
const lateAfter = msPerHour / 2

/**
 * Stores a batch atomically: new readings, their rollups, the devices' latest values and lifetime litres, and which
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

/** Returns a percentage rounded to hundredths; null if the whole is 0 or null. */
const percent = (part: SQL, whole: SQL): SQL =>
  sql`round((${part})::numeric / nullif(${whole}, 0)::numeric * 100, 2)::float8`

/** SQL: whether the reading is at least as new as the twin's; of two with the same capped time, the later one wins. */
const atLeastAsNew = sql`newest.read_at >= coalesce(twin.reading_at, '-infinity')`

/**
 * Updates the twins with the newest values. Without permeate the recovery is undefined, so the last one is kept, unless
 * a flow sensor has failed. Rejection may be negative, which reveals a faulty sensor.
 */
const updateTwins = sql`
  update device_twins as twin set
    heard_at = greatest(twin.heard_at, received.at),
    feed = twin.feed + coalesce(volumes.feed, 0),
    permeate = twin.permeate + coalesce(volumes.permeate, 0),
    waste = twin.waste + coalesce(volumes.waste, 0),
    reading_at = greatest(twin.reading_at, newest.read_at),
    temperature = case when ${atLeastAsNew} then newest.temperature else twin.temperature end,
    pressure = case when ${atLeastAsNew} then newest.pressure else twin.pressure end,
    feed_tds = case when ${atLeastAsNew} then newest.feed_tds else twin.feed_tds end,
    permeate_tds = case when ${atLeastAsNew} then newest.permeate_tds else twin.permeate_tds end,
    rejection_rate = case when ${atLeastAsNew}
      then ${percent(sql`newest.feed_tds - newest.permeate_tds`, sql`newest.feed_tds`)} else twin.rejection_rate end,
    recovery_rate = case
      when newest.read_at is null or newest.read_at < twin.reading_at then twin.recovery_rate
      when newest.permeate > 0 and newest.feed > 0 then ${percent(sql`newest.permeate`, sql`newest.feed`)}
      when newest.feed_flow is null or newest.permeate_flow is null then null
      else twin.recovery_rate end
  from received left join newest using (bssid) left join volumes using (bssid)
  where twin.bssid = received.bssid`

const statement = prepareStatement<{ fresh: string | null; unknown: string | null }>(
  'store_readings',
  sql`
    with input as materialized (select * from ${preparedInput('readings', readingColumns)}),
    received as materialized (select * from ${preparedInput('received', receivedColumns)}),
    twins as materialized (
      select bssid from ${deviceTwins} where bssid in (select bssid from received) order by bssid for no key update
    ),
    stored as (
      insert into ${readings} (bssid, at, feed, permeate, feed_flow, permeate_flow, feed_tds, permeate_tds, pressure,
        temperature)
      select bssid, at, feed, permeate, feed_flow, permeate_flow, feed_tds, permeate_tds, pressure, temperature
      from input join twins using (bssid) order by bssid, at
      on conflict do nothing
      returning bssid, at
    ),
    -- From the input, because stored values are rounded to the precision of a real.
    fresh as materialized (select input.* from input join stored using (bssid, at)),
    tens as materialized (
      select bssid, date_bin('10 minutes', at, 'epoch') as bucket, ${sumsOfReadings} from fresh group by bssid, bucket
    ),
    hours as (
      select bssid, date_bin('1 hour', bucket, 'epoch') as hour, ${sumsOfRollups} from tens group by bssid, hour
    ),
    ten_minutes as (
      insert into ${readingTenMinutes} (bssid, at, ${rollupColumns})
      select bssid, bucket, ${rollupValues} from tens order by bssid, bucket
      ${addOnConflict(readingTenMinutes, sql`bssid, at`)}
    ),
    hourly as (
      insert into ${readingHours} (bssid, at, ${rollupColumns})
      select bssid, hour, ${rollupValues} from hours order by bssid, hour
      ${addOnConflict(readingHours, sql`bssid, at`)}
    ),
    -- Future timestamps are capped as for alarms: otherwise readings after a clock correction would not be shown.
    newest as (
      select distinct on (bssid) fresh.*, least(fresh.at, received.at) as read_at from fresh join received using (bssid)
      order by bssid, read_at desc, fresh.at desc
    ),
    volumes as (
      select bssid, sum(feed) as feed, sum(permeate) as permeate, sum(greatest(feed - permeate, 0)) as waste
      from fresh group by bssid
    ),
    updated_twins as (${updateTwins}),
    health as (${addHealthDays(sql`${preparedInput('health', healthColumns)} join stored using (bssid, at)`)}),
    unevaluated as (
      insert into ${unevaluatedReadings} (id, stored_at, bssids, ats)
      select ${sql.placeholder('id')}, ${sql.placeholder('stored_at')}::text::timestamptz, array_agg(bssid order by row_index),
        array_agg(at order by row_index)
      from fresh having count(*) > 0
    )
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
    ...inputValues('health', healthColumns, batch.health ?? []),
  }
  const [row] = await statement(db, values, {
    keepPlan: rows.length <= maxPlanned && batch.received.size <= maxPlanned,
  })
  const indices = JSON.parse(row?.fresh ?? '[]') as number[]
  return { fresh: indices.map(index => sorted[index]!), unknown: JSON.parse(row?.unknown ?? '[]') as string[] }
}

/** Readings in the database: each once, and with it all that follows from it. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceTwins, readingHours, readings, readingTenMinutes } from '../../db/schema/telemetry.ts'
import type { Reading } from '../../protocol/messages.ts'
import { rowsOf, type ColumnOf } from './columnArrays.ts'
import { dropDaysOf } from './days.ts'
import { adding, rollupColumns } from './rollups.ts'
import { storedSums, sumsOfReadings, sumsOfSums } from './sums.ts'

export interface ReceivedReading {
  readonly bssid: string
  readonly reading: Reading
  /** Of the reading, milliseconds UTC. */
  readonly at: number
}

export interface Batch {
  readonly readings: readonly ReceivedReading[]
  /** When each device was heard last, milliseconds UTC; one whose readings were all refused was heard as well. */
  readonly heard: ReadonlyMap<string, number>
  /** Older readings are late: days that were rolled up may miss them. Milliseconds UTC. */
  readonly late: number
}

export interface StoreResult {
  /** Those that were new, in order of time per device. */
  readonly fresh: readonly ReceivedReading[]
  /** Devices that do not exist. */
  readonly unknown: readonly string[]
}

const readingColumns: readonly ColumnOf<ReceivedReading & { readonly place: number }>[] = [
  { name: 'place', type: 'whole', value: row => row.place },
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'at', type: 'time', value: row => row.at },
  ...(
    ['feed', 'permeate', 'feed_flow', 'permeate_flow', 'feed_tds', 'permeate_tds', 'pressure', 'temperature'] as const
  ).map((name): ColumnOf<ReceivedReading> => ({ name, type: 'amount', value: ({ reading }) => reading[name] })),
]
const heardColumns: readonly ColumnOf<readonly [string, number]>[] = [
  { name: 'bssid', type: 'key', value: ([bssid]) => bssid },
  { name: 'at', type: 'time', value: ([, at]) => at },
]

/**
 * Stores a batch, whole or not at all: the readings that were not there yet, their rollups, and the devices' newest
 * values and lifetime litres. Their partitions must be there.
 *
 * Whoever stores readings of a device holds its twin. Twins are taken in order of their keys, so that two processes
 * wait for each other and never in a circle.
 */
export function storeReadings(db: Database, batch: Batch): Promise<StoreResult> {
  const isLate = ({ at }: ReceivedReading) => at < batch.late
  if (!batch.readings.some(isLate)) return store(db, batch)
  return db.transaction(async tx => {
    const stored = await store(tx, batch)
    // A statement of its own sees days that were kept until the twins were held.
    await dropDaysOf(tx, stored.fresh.filter(isLate))
    return stored
  })
}

async function store(db: Database, batch: Batch): Promise<StoreResult> {
  const sorted = sortAndDedupe(batch.readings)
  const rows = sorted.map((reading, place) => ({ ...reading, place }))
  const { rows: answer } = await db.execute<{ fresh: string | null; unknown: string | null }>(sql`
    with given as materialized (select * from ${rowsOf(readingColumns, rows)}),
    heard as materialized (select * from ${rowsOf(heardColumns, [...batch.heard])}),
    twins as materialized (
      select bssid from ${deviceTwins} where bssid in (select bssid from heard) order by bssid for no key update
    ),
    stored as (
      insert into ${readings} (bssid, at, feed, permeate, feed_flow, permeate_flow, feed_tds, permeate_tds, pressure,
        temperature)
      select bssid, at, feed, permeate, feed_flow, permeate_flow, feed_tds, permeate_tds, pressure, temperature
      from given join twins using (bssid) order by bssid, at
      on conflict do nothing
      returning bssid, at
    ),
    -- As they were given: the stored ones are rounded to what a real holds.
    fresh as materialized (select given.* from given join stored using (bssid, at)),
    tens as materialized (
      select bssid, date_bin('10 minutes', at, 'epoch') as bucket, ${sumsOfReadings} from fresh group by bssid, bucket
    ),
    hours as (
      select bssid, date_bin('1 hour', bucket, 'epoch') as hour, ${sumsOfSums} from tens group by bssid, hour
    ),
    ten_minutes as (
      insert into ${readingTenMinutes} (bssid, at, ${rollupColumns})
      select bssid, bucket, ${storedSums} from tens order by bssid, bucket
      ${adding(readingTenMinutes, sql`bssid, at`)}
    ),
    hourly as (
      insert into ${readingHours} (bssid, at, ${rollupColumns})
      select bssid, hour, ${storedSums} from hours order by bssid, hour
      ${adding(readingHours, sql`bssid, at`)}
    ),
    -- As alarms do: a clock that is ahead is not believed, or what it says once it is put right would not be shown.
    newest as (
      select distinct on (bssid) fresh.*, least(fresh.at, heard.at) as read_at from fresh join heard using (bssid)
      order by bssid, read_at desc, fresh.at desc
    ),
    volumes as (
      select bssid, sum(feed) as feed, sum(permeate) as permeate, sum(greatest(feed - permeate, 0)) as waste
      from fresh group by bssid
    ),
    updated_twins as (${updateTwins})
    select (select json_agg(place order by place) from fresh)::text as fresh,
      (select json_agg(bssid) from heard where bssid not in (select bssid from twins))::text as unknown`)
  const places = JSON.parse(answer[0]?.fresh ?? '[]') as number[]
  return { fresh: places.map(place => sorted[place]!), unknown: JSON.parse(answer[0]?.unknown ?? '[]') as string[] }
}

/** To a hundredth; null without a whole. */
const percent = (part: SQL, whole: SQL): SQL =>
  sql`round((${part})::numeric / nullif(${whole}, 0)::numeric * 100, 2)::float8`

/** Than what is known: of two that were ahead, the one that comes last. */
const isNewest = sql`newest.read_at >= coalesce(twin.reading_at, '-infinity')`

/**
 * The newest values go to the twin. Without permeate there is no recovery to tell, so the last one stays, but not
 * where a flow sensor gives nothing. Rejection may be negative: then a sensor is at fault, and that is to be seen.
 */
const updateTwins = sql`
  update device_twins as twin set
    heard_at = greatest(twin.heard_at, heard.at),
    synced = false,
    feed = twin.feed + coalesce(volumes.feed, 0),
    permeate = twin.permeate + coalesce(volumes.permeate, 0),
    waste = twin.waste + coalesce(volumes.waste, 0),
    reading_at = greatest(twin.reading_at, newest.read_at),
    temperature = case when ${isNewest} then newest.temperature else twin.temperature end,
    pressure = case when ${isNewest} then newest.pressure else twin.pressure end,
    feed_tds = case when ${isNewest} then newest.feed_tds else twin.feed_tds end,
    permeate_tds = case when ${isNewest} then newest.permeate_tds else twin.permeate_tds end,
    rejection_rate = case when ${isNewest}
      then ${percent(sql`newest.feed_tds - newest.permeate_tds`, sql`newest.feed_tds`)} else twin.rejection_rate end,
    recovery_rate = case
      when newest.read_at is null or newest.read_at < twin.reading_at then twin.recovery_rate
      when newest.permeate > 0 and newest.feed > 0 then ${percent(sql`newest.permeate`, sql`newest.feed`)}
      when newest.feed_flow is null or newest.permeate_flow is null then null
      else twin.recovery_rate end
  from heard left join newest using (bssid) left join volumes using (bssid)
  where twin.bssid = heard.bssid`

/** By device and time, each time once: of two readings of one moment the first that came counts. */
function sortAndDedupe(readings: readonly ReceivedReading[]): ReceivedReading[] {
  const sorted = readings.toSorted((a, b) => (a.bssid < b.bssid ? -1 : a.bssid > b.bssid ? 1 : a.at - b.at))
  return sorted.filter(({ bssid, at }, place) => {
    const before = sorted[place - 1]
    return before === undefined || before.bssid !== bssid || before.at !== at
  })
}

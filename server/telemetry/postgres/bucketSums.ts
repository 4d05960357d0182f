/** Queries that sum devices' ten-minute and hourly rollups, and readings that are not in them yet, by arbitrary buckets. */
import { sql, type SQL } from 'drizzle-orm'
import { msPerHour } from '../../../src/domain/time.ts'
import { summedColumns, newestFlow, sumsOfRollups } from './sums.ts'
import { unsummedTenMinutes } from './unsummed.ts'
import { instant, keyArray, milliseconds, times } from './values.ts'

export interface Span {
  /** Milliseconds UTC; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** Returns the number (from 1) of the bucket that contains a time. */
const bucketOf = (at: SQL): SQL => sql`width_bucket(${at}, (select edges from grid))`

/** Returns the condition that a time is in a span, by which PostgreSQL leaves out other partitions before it runs a query. */
const within = (at: SQL, from: number, to: number): SQL => sql`${at} >= ${instant(from)} and ${at} < ${instant(to)}`

/** Sums the rows of `part` by device and bucket. */
const sumsByStart: SQL = sql`
  select bssid, ${milliseconds(sql`(select edges from grid)[bucket]`)} as start, ${sumsOfRollups}
  from part group by bssid, bucket`

/**
 * Returns a query for each device's `bssid`, the `start` of each bucket (milliseconds UTC) and the sums of the ten-minute
 * rollups that begin in it. `edges` are the start of each bucket and the end of the last, milliseconds UTC.
 */
export const sumsOfTenMinutes = (bssids: readonly string[], edges: readonly number[]): SQL => sql`
  with grid as materialized (select ${times(edges)} as edges),
  part as (
    select bssid, ${bucketOf(sql`at`)} as bucket, ${summedColumns}, ${newestFlow} as flow from reading_ten_minutes
    where bssid = any(${keyArray(bssids)}) and ${within(sql`at`, edges[0]!, edges.at(-1)!)}
    union all
    select bssid, ${bucketOf(sql`ten`)}, ${summedColumns}, flow
    from (${unsummedTenMinutes(bssids, edges[0]!, edges.at(-1)!)}) as unsummed
    where ${within(sql`ten`, edges[0]!, edges.at(-1)!)}
  )
  ${sumsByStart}`

/**
 * Returns the same query for hourly rollups, within spans that neither touch nor overlap. An hour that contains an edge
 * is split into its ten-minute rollups; without these it belongs to the bucket that contains its start. With `history`,
 * imported UTC days are included in the bucket that contains their middle.
 */
export const sumsOfHours = (
  bssids: readonly string[],
  edges: readonly number[],
  spans: readonly Span[],
  { history }: { readonly history: boolean },
): SQL => {
  const [{ from }, { to }] = [spans[0]!, spans.at(-1)!]
  return sql`
  with grid as materialized (select ${times(edges)} as edges),
  span as materialized (
    select * from unnest(${times(spans.map(({ from }) => from))}, ${times(spans.map(({ to }) => to))})
      as span(since, until)
  ),
  whole as materialized (
    select bssid, ${bucketOf(sql`at`)} as bucket, at, since, until, ${summedColumns}, ${newestFlow} as flow,
      ${bucketOf(sql`at`)} <> ${bucketOf(sql`at + interval '59:59.999'`)} as cut
    from span join reading_hours on bssid = any(${keyArray(bssids)}) and at > since - interval '1 hour' and at < until
      and ${within(sql`at`, from - msPerHour, to)}
  ),
  part as (
    select bssid, bucket, ${summedColumns}, flow from whole
    where at >= since and not (cut and exists (
      select from reading_ten_minutes as ten
      where ten.bssid = whole.bssid and ten.at >= whole.at and ten.at < whole.at + interval '1 hour'
        and ${within(sql`ten.at`, from, to + msPerHour)}))
    union all
    select hour.bssid, ${bucketOf(sql`ten.at`)}, ${summedColumns}, ${newestFlow}
    from (
      select bssid, greatest(at, since) as first, least(at + interval '1 hour', until) as last from whole where cut
    ) as hour
    -- With a limit an hour's rows are read by the index; a hash join would read all rows of the devices for each hour.
    cross join lateral (
      select * from reading_ten_minutes as of_device
      where of_device.bssid = hour.bssid and of_device.at >= first and of_device.at < last
        and ${within(sql`of_device.at`, from, to)}
      limit 6
    ) as ten
    union all
    select bssid, ${bucketOf(sql`ten`)}, ${summedColumns}, flow
    from (${unsummedTenMinutes(bssids, from, to)}) as unsummed
    join span on ten >= since and ten < until
    ${history ? unionHistory(bssids, { from, to }) : sql``}
  )
  ${sumsByStart}`
}

/** Returns the `union all` clause that adds imported days. */
const unionHistory = (bssids: readonly string[], { from, to }: Span): SQL => sql`
  union all
  select bssid, ${bucketOf(sql`at + interval '12 hours'`)}, ${summedColumns}, ${newestFlow}
  from span join reading_days on bssid = any(${keyArray(bssids)}) and zone = ''
    and at >= since - interval '12 hours' and at < until - interval '12 hours'
    and ${within(sql`at`, from - 12 * msPerHour, to - 12 * msPerHour)}`

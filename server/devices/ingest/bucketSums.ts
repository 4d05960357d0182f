/** Sums of a device's finer rollups by the buckets of any zone. */
import { sql, type SQL } from 'drizzle-orm'
import { addedColumns, flowOf, sumsOfSums } from './sums.ts'

export interface Span {
  /** Milliseconds UTC; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** A time given in milliseconds UTC. */
export const instant = (at: number): SQL => sql`${new Date(at).toISOString()}::timestamptz`

/** Times given in milliseconds, as the database's array. */
export const times = (instants: readonly number[]): SQL =>
  sql`${`{${instants.map(instant => new Date(instant).toISOString()).join(',')}}`}::text::timestamptz[]`

/** The number, from 1, of the bucket between edges that holds a time. */
const bucketOf = (at: SQL): SQL => sql`width_bucket(${at}, (select edges from grid))`

/**
 * A query that gives `bucket` (from 1) and the sums of the ten-minute rollups that begin in it. `edges`: milliseconds
 * UTC of each bucket's begin, and of the last one's end.
 */
export const sumsOfTenMinutes = (bssid: string, edges: readonly number[]): SQL => sql`
  with grid as materialized (select ${times(edges)} as edges),
  part as (
    select ${bucketOf(sql`at`)} as bucket, ${addedColumns}, ${flowOf} as flow from reading_ten_minutes
    where bssid = ${bssid} and at >= ${instant(edges[0]!)} and at < ${instant(edges.at(-1)!)}
  )
  select bucket, ${sumsOfSums} from part group by bucket`

/**
 * The same of hours, within the spans, which neither touch nor overlap. An hour that an edge cuts is taken apart into
 * its ten minutes; where these are not kept, it belongs to the bucket that holds its begin. With `history`, UTC days
 * that stand in no hours count by their middle.
 */
export const sumsOfHours = (
  bssid: string,
  edges: readonly number[],
  spans: readonly Span[],
  { history }: { readonly history: boolean },
): SQL => sql`
  with grid as materialized (select ${times(edges)} as edges),
  span as materialized (
    select * from unnest(${times(spans.map(({ from }) => from))}, ${times(spans.map(({ to }) => to))})
      as span(since, until)
  ),
  whole as materialized (
    select ${bucketOf(sql`at`)} as bucket, at, since, until, ${addedColumns}, ${flowOf} as flow,
      ${bucketOf(sql`at`)} <> ${bucketOf(sql`at + interval '59:59.999'`)} as cut
    from span join reading_hours on bssid = ${bssid} and at > since - interval '1 hour' and at < until
  ),
  part as (
    select bucket, ${addedColumns}, flow from whole
    where at >= since and not (cut and exists (
      select from reading_ten_minutes as ten
      where ten.bssid = ${bssid} and ten.at >= whole.at and ten.at < whole.at + interval '1 hour'))
    union all
    select ${bucketOf(sql`at`)}, ${addedColumns}, ${flowOf}
    from (select greatest(at, since) as first, least(at + interval '1 hour', until) as last from whole where cut) as hour
    join reading_ten_minutes on bssid = ${bssid} and at >= first and at < last
    ${history ? ofHistory(bssid) : sql``}
  )
  select bucket, ${sumsOfSums} from part group by bucket`

const ofHistory = (bssid: string): SQL => sql`
  union all
  select ${bucketOf(sql`at + interval '12 hours'`)}, ${addedColumns}, ${flowOf}
  from span join reading_days on bssid = ${bssid} and zone = ''
    and at >= since - interval '12 hours' and at < until - interval '12 hours'`

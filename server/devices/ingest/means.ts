/** Mean values of devices by bucket, read from a query for sums. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

/** The mean values of a bucket; null if no reading has the value. */
export interface Means {
  /** Litres in the bucket. */
  readonly feed: number
  readonly permeate: number
  /** l/min over the readings with permeate flow. */
  readonly production_rate: number | null
  /** ppm, ppm, bar and °C. */
  readonly feed_tds: number | null
  readonly permeate_tds: number | null
  readonly pressure: number | null
  readonly temperature: number | null
  /** l/min of the newest reading with permeate flow. */
  readonly last_feed_flow: number | null
  readonly last_permeate_flow: number | null
}

/**
 * The means of a device's buckets: an array for each value, and one for the starts of the buckets, milliseconds UTC. The
 * buckets are in any order, and those without readings are absent.
 */
export interface MeanColumns extends Columns {
  readonly start: number[]
}
type Columns = { readonly [Name in keyof Means]: Means[Name][] }

const mean = (name: string): SQL =>
  sql`${sql.identifier(`${name}_sum`)} / nullif(${sql.identifier(`${name}_count`)}, 0)`

const values: Readonly<Record<keyof Means, SQL>> = {
  feed: sql`feed`,
  permeate: sql`permeate`,
  production_rate: mean('production'),
  feed_tds: mean('feed_tds'),
  permeate_tds: mean('permeate_tds'),
  pressure: mean('pressure'),
  temperature: mean('temperature'),
  last_feed_flow: sql`flow[2]`,
  last_permeate_flow: sql`flow[3]`,
}
const columns = sql.join(
  Object.entries(values).map(([name, value]) => sql`array_agg(${value}) as ${sql.identifier(name)}`),
  sql`, `,
)

/**
 * Returns the means of a query for `bssid`, `start` and sums, by device; devices without readings are absent. They are
 * transferred as JSON with an array for each value: decoding thousands of rows, or objects for them, would take longer.
 * `withQueries` is a `with` clause to whose names the query may refer.
 */
export async function queryMeans(
  db: Database,
  query: SQL,
  withQueries: SQL = sql``,
): Promise<Map<string, MeanColumns>> {
  const { rows } = await db.execute<{ json: string | null }>(sql`
    ${withQueries}
    select json_agg(row_to_json(device))::text as json
    from (select bssid, array_agg(start) as start, ${columns} from (${query}) as sums group by bssid) as device`)
  const devices = JSON.parse(rows[0]?.json ?? '[]') as (MeanColumns & { readonly bssid: string })[]
  return new Map(devices.map(({ bssid, ...means }) => [bssid, means]))
}

/** Adds buckets to the means of a device. */
export function appendMeans(means: MeanColumns, more: MeanColumns): void {
  for (const name of Object.keys(values) as (keyof Means)[]) {
    const column: (number | null)[] = means[name]
    column.push(...more[name])
  }
  means.start.push(...more.start)
}

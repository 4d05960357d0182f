/** Reads the means of devices by bucket from a query for sums. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import type { MeanColumns, Means } from '../means.ts'

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

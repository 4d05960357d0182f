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

/** By the start of the bucket, milliseconds UTC. */
export type MeansByStart = Map<number, Means>

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

type Columns = { readonly [Name in keyof Means]: readonly Means[Name][] }
interface DeviceColumns extends Columns {
  readonly bssid: string
  readonly start: readonly number[]
}

/**
 * Returns the means of a query for `bssid`, `start` and sums, by device; devices without readings are absent. They are
 * transferred as JSON with an array for each value: decoding thousands of rows would take longer. `withQueries` is a
 * `with` clause to whose names the query may refer.
 */
export async function queryMeans(
  db: Database,
  query: SQL,
  withQueries: SQL = sql``,
): Promise<Map<string, MeansByStart>> {
  const { rows } = await db.execute<{ json: string | null }>(sql`
    ${withQueries}
    select json_agg(row_to_json(device))::text as json
    from (select bssid, array_agg(start) as start, ${columns} from (${query}) as sums group by bssid) as device`)
  const devices = JSON.parse(rows[0]?.json ?? '[]') as DeviceColumns[]
  return new Map(devices.map(device => [device.bssid, meansByStart(device)]))
}

/** Creates the objects by a literal, because thousands of them are created for a chart. */
const meansByStart = (device: DeviceColumns): MeansByStart =>
  new Map(
    device.start.map((start, row) => [
      start,
      {
        feed: device.feed[row]!,
        permeate: device.permeate[row]!,
        production_rate: device.production_rate[row]!,
        feed_tds: device.feed_tds[row]!,
        permeate_tds: device.permeate_tds[row]!,
        pressure: device.pressure[row]!,
        temperature: device.temperature[row]!,
        last_feed_flow: device.last_feed_flow[row]!,
        last_permeate_flow: device.last_permeate_flow[row]!,
      },
    ]),
  )

/** Times and keys as values in SQL. */
import { sql, type SQL } from 'drizzle-orm'

/** Returns a time (milliseconds UTC) as SQL. */
export const instant = (at: number): SQL => sql`${new Date(at).toISOString()}::timestamptz`

/** Returns times (milliseconds UTC) as an SQL array. */
export const times = (instants: readonly number[]): SQL =>
  sql`${`{${instants.map(instant => new Date(instant).toISOString()).join(',')}}`}::text::timestamptz[]`

/** Returns the keys of devices as an SQL array. */
export const keyArray = (bssids: readonly string[]): SQL => sql`${sql.param(bssids)}::text[]`

/** Returns an SQL time as milliseconds UTC. */
export const milliseconds = (time: SQL): SQL => sql`(extract(epoch from ${time}) * 1000)::bigint`

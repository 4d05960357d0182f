/**
 * The tables in ClickHouse. Times are milliseconds UTC and amounts millionths of their units, both whole numbers.
 *
 * All tables replace rows of the same key, at some time after they were inserted: queries read them with `final`, which
 * returns only those that remain.
 */
import { msPerDay } from '../../../src/domain/time.ts'
import { partitionDays } from '../partitionDays.ts'
import { readingValues } from '../readingValues.ts'
import type { Connection } from './connection.ts'

/**
 * The columns of sums, without their key. `readings` is their version: of two sums of a bucket, the one over more readings
 * remains. `flow_at` is 0 without flow, and a last flow -1 if it is unknown.
 */
export const sumColumns = [
  'readings',
  'feed',
  'permeate',
  'production_sum',
  'production_count',
  'feed_tds_sum',
  'feed_tds_count',
  'permeate_tds_sum',
  'permeate_tds_count',
  'pressure_sum',
  'pressure_count',
  'temperature_sum',
  'temperature_count',
  'flow_at',
  'last_feed_flow',
  'last_permeate_flow',
] as const

/** Where sums come from: computed from the readings here, or imported. Both of a bucket are added up. */
export const sources = { computed: 0, imported: 1 } as const

/** Returns whether a column of sums is a number of readings, and not an amount. */
export const isNumberOf = (column: string): boolean => column === 'readings' || column.endsWith('_count')

const sums = (name: string, days: number) => `
  create table if not exists ${name} (
    bssid String,
    at Int64,
    source UInt8,
    ${sumColumns.map(column => `${column} ${isNumberOf(column) ? 'UInt32' : 'Int64'}`).join(',\n    ')}
  ) engine = ReplacingMergeTree(readings) partition by intDiv(at, ${days * msPerDay}) order by (bssid, at, source)`

/**
 * Readings begin with their hour (hours since 1970), because all queries are for some hours: sums of the last hour, newest
 * readings of a few devices, or single ones. `batch` is the version: a batch that is stored again replaces itself.
 */
const readings = `
  create table if not exists readings (
    hour UInt32,
    bssid String,
    at Int64,
    ${readingValues.map((column, place) => `${column} ${place < 2 ? 'Int64' : 'Nullable(Int64)'}`).join(',\n    ')},
    batch UInt64
  ) engine = ReplacingMergeTree(batch) partition by intDiv(hour, ${24 * partitionDays.readings}) order by (hour, bssid, at)`

/** Creates the tables that are missing. */
export async function createTables(connection: Connection): Promise<void> {
  const statements = [
    readings,
    sums('ten_minutes', partitionDays.tenMinutes),
    sums('hours', partitionDays.hours),
    // Imported UTC days only: those of other zones are added up from hours.
    sums('days', partitionDays.days),
  ]
  for (const statement of statements) await connection.run(statement)
}

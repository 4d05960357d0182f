/** Rollups: sums over readings by ten minutes, hour and day. What is written is added to what is there. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceTwins, readingDays, readingHours, readingTenMinutes } from '../../db/schema/telemetry.ts'
import { rowsOf, type ColumnOf } from './columnArrays.ts'

/** Litres, ppm, bar, °C, l/min; a `_count` says how many readings gave the values that a `_sum` adds up. */
export interface Rollup {
  readonly bssid: string
  /** The bucket's begin, milliseconds UTC. */
  readonly at: number
  readonly readings: number
  readonly feed: number
  readonly permeate: number
  /** l/min of permeate, over the readings while it flowed. */
  readonly production_sum: number
  readonly production_count: number
  readonly feed_tds_sum: number
  readonly feed_tds_count: number
  readonly permeate_tds_sum: number
  readonly permeate_tds_count: number
  readonly pressure_sum: number
  readonly pressure_count: number
  readonly temperature_sum: number
  readonly temperature_count: number
  /** The newest reading while permeate flowed, milliseconds UTC, and its flows, l/min. */
  readonly flow_at: number | null
  readonly last_feed_flow: number | null
  readonly last_permeate_flow: number | null
}

/** What is added up when rollups come together. */
const added = [
  ['readings', 'whole'],
  ['feed', 'amount'],
  ['permeate', 'amount'],
  ['production_sum', 'amount'],
  ['production_count', 'whole'],
  ['feed_tds_sum', 'amount'],
  ['feed_tds_count', 'whole'],
  ['permeate_tds_sum', 'amount'],
  ['permeate_tds_count', 'whole'],
  ['pressure_sum', 'amount'],
  ['pressure_count', 'whole'],
  ['temperature_sum', 'amount'],
  ['temperature_count', 'whole'],
] as const satisfies readonly (readonly [keyof Rollup, ColumnOf<Rollup>['type']])[]

/** What is the newer one's. */
const newest = [
  ['flow_at', 'time'],
  ['last_feed_flow', 'amount'],
  ['last_permeate_flow', 'amount'],
] as const satisfies readonly (readonly [keyof Rollup, ColumnOf<Rollup>['type']])[]

const names = [...added, ...newest].map(([name]) => name)

/** The columns of every rollup beside its key, in order. */
export const rollupColumns: SQL = sql.join(
  names.map(name => sql.identifier(name)),
  sql`, `,
)

/** Ends an insert into a rollup table with this key: sums are added, the newest flows are kept. */
export function adding(table: typeof readingTenMinutes | typeof readingHours | typeof readingDays, key: SQL): SQL {
  const old = (name: string) => sql`${table}.${sql.identifier(name)}`
  const given = (name: string) => sql`excluded.${sql.identifier(name)}`
  const sums = added.map(([name]) => sql`${sql.identifier(name)} = ${old(name)} + ${given(name)}`)
  const newer = sql`${given('flow_at')} >= coalesce(${old('flow_at')}, '-infinity')`
  const flows = newest.map(
    ([name]) => sql`${sql.identifier(name)} = case when ${newer} then ${given(name)} else ${old(name)} end`,
  )
  return sql`on conflict (${key}) do update set ${sql.join([...sums, ...flows], sql`, `)}`
}

export type Level = 'ten minutes' | 'hour' | 'day'

const columns: readonly ColumnOf<Rollup>[] = [
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'at', type: 'time', value: row => row.at },
  ...[...added, ...newest].map(([name, type]): ColumnOf<Rollup> => ({ name, type, value: row => row[name] })),
]

/** Few enough that nobody waits for the embedded database. */
const batchSize = 2_000

/**
 * Writes history: rollups made elsewhere than from stored readings. Every reading must be in hours and, as long as
 * those are kept, in ten minutes too; or else in days alone, of UTC. It shows in charts of a year whatever the level,
 * in those of a month and a week from hours on. `at` must be the begin of a bucket, and no key may stand twice.
 */
export async function writeRollups(db: Database, level: Level, rows: readonly Rollup[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batchSize) {
    const part = rows.slice(from, from + batchSize)
    const keys = sql`any(${`{${[...new Set(part.map(({ bssid }) => bssid))].join(',')}}`}::text::text[])`
    await db.transaction(async tx => {
      await tx.execute(sql`select from ${deviceTwins} where bssid = ${keys} order by bssid for no key update`)
      await tx.execute(insertion(level, rowsOf(columns, part)))
      // Days of zones that were made before have none of it (days.ts).
      await tx.execute(sql`delete from ${readingDays} where bssid = ${keys} and zone <> ''`)
    })
  }
}

function insertion(level: Level, given: SQL): SQL {
  if (level === 'day')
    return sql`insert into ${readingDays} (bssid, zone, at, ${rollupColumns})
      select bssid, '', at, ${rollupColumns} from ${given} ${adding(readingDays, sql`bssid, zone, at`)}`
  const table = level === 'hour' ? readingHours : readingTenMinutes
  return sql`insert into ${table} (bssid, at, ${rollupColumns})
    select bssid, at, ${rollupColumns} from ${given} ${adding(table, sql`bssid, at`)}`
}

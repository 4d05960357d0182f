/** Writes rollups. Writing a rollup adds it to the stored one. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceTwins, readingDays, readingHours, readingTenMinutes } from '../../db/schema/telemetry.ts'
import { inputRows, type ColumnOf } from '../../db/columnArrays.ts'
import type { Level, Rollup } from '../rollup.ts'
import { dayNumber, openPartitions } from './partitions.ts'

/** Columns that are summed when rollups are merged. */
const summed = [
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

/** Columns whose values come from the newer rollup. */
const newest = [
  ['flow_at', 'time'],
  ['last_feed_flow', 'amount'],
  ['last_permeate_flow', 'amount'],
] as const satisfies readonly (readonly [keyof Rollup, ColumnOf<Rollup>['type']])[]

const columnNames = [...summed, ...newest].map(([name]) => name)

/** Columns of every rollup except its key, in order. */
export const rollupColumns: SQL = sql.join(
  columnNames.map(name => sql.identifier(name)),
  sql`, `,
)

/** Returns the `on conflict` clause that adds sums and keeps the newest flows. */
export function addOnConflict(
  table: typeof readingTenMinutes | typeof readingHours | typeof readingDays,
  key: SQL,
): SQL {
  const old = (name: string) => sql`${table}.${sql.identifier(name)}`
  const incoming = (name: string) => sql`excluded.${sql.identifier(name)}`
  const sums = summed.map(([name]) => sql`${sql.identifier(name)} = ${old(name)} + ${incoming(name)}`)
  const newer = sql`${incoming('flow_at')} >= coalesce(${old('flow_at')}, '-infinity')`
  const flows = newest.map(
    ([name]) => sql`${sql.identifier(name)} = case when ${newer} then ${incoming(name)} else ${old(name)} end`,
  )
  return sql`on conflict (${key}) do update set ${sql.join([...sums, ...flows], sql`, `)}`
}

const columns: readonly ColumnOf<Rollup>[] = [
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'at', type: 'time', value: row => row.at },
  ...[...summed, ...newest].map(([name, type]): ColumnOf<Rollup> => ({ name, type, value: row => row[name] })),
]

const tableOf = { 'ten minutes': 'reading_ten_minutes', hour: 'reading_hours', day: 'reading_days' } as const

/** Rows per transaction; small enough not to block PGlite. */
const batchSize = 2_000

/** Imports history, see `TelemetryStore.importRollups`, into partitions that it creates. */
export async function writeRollups(db: Database, level: Level, rows: readonly Rollup[]): Promise<void> {
  await openPartitions(db).ensure(
    [tableOf[level]],
    rows.map(({ at }) => dayNumber(at)),
  )
  for (let from = 0; from < rows.length; from += batchSize) {
    const part = rows.slice(from, from + batchSize)
    const keys = sql`any(${`{${[...new Set(part.map(({ bssid }) => bssid))].join(',')}}`}::text::text[])`
    await db.transaction(async tx => {
      await tx.execute(sql`select from ${deviceTwins} where bssid = ${keys} order by bssid for no key update`)
      await tx.execute(upsert(level, inputRows(columns, part)))
      // Stored days of zones do not contain the imported history, so they are recomputed (days.ts).
      await tx.execute(sql`delete from ${readingDays} where bssid = ${keys} and zone <> ''`)
    })
  }
}

/** Returns the statement that inserts rows or adds them to stored ones. */
function upsert(level: Level, rows: SQL): SQL {
  if (level === 'day')
    return sql`insert into ${readingDays} (bssid, zone, at, ${rollupColumns})
      select bssid, '', at, ${rollupColumns} from ${rows} ${addOnConflict(readingDays, sql`bssid, zone, at`)}`
  const table = level === 'hour' ? readingHours : readingTenMinutes
  return sql`insert into ${table} (bssid, at, ${rollupColumns})
    select bssid, at, ${rollupColumns} from ${rows} ${addOnConflict(table, sql`bssid, at`)}`
}

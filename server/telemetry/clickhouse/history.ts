/** Imports history, and finds who has some. */
import { cell, inParts, listOf, type Connection } from './connection.ts'
import type { Level, Rollup } from '../rollup.ts'
import { isNumberOf, sources, sumColumns } from './tables.ts'

const tables = { 'ten minutes': 'ten_minutes', hour: 'hours', day: 'days' } as const satisfies Record<Level, string>

/** Imports history, see `TelemetryStore.importRollups`. A rollup that is imported again replaces itself. */
export const insertRollups = (connection: Connection, level: Level, rows: readonly Rollup[]): Promise<void> =>
  connection.insert(
    tables[level],
    ['bssid', 'at', 'source', ...sumColumns],
    rows.map(row => [
      row.bssid,
      row.at,
      sources.imported,
      ...sumColumns.map(name => {
        if (name === 'flow_at') return row.flow_at ?? 0
        if (name === 'last_feed_flow' || name === 'last_permeate_flow') return row[name] === null ? -1 : cell(row[name])
        return isNumberOf(name) ? row[name] : cell(row[name])
      }),
    ]),
  )

/** Returns which devices have history, see `TelemetryStore.devicesWithHistory`. */
export async function devicesWithHistory(
  connection: Connection,
  bssids: readonly string[],
  before: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const part of inParts(bssids)) {
    const rows = await connection.rows<{ bssid: string }>(`
      select distinct bssid from (
        select bssid from hours where bssid in ${listOf(part)} and at < ${before}
        union all select bssid from days where bssid in ${listOf(part)})`)
    for (const { bssid } of rows) found.add(bssid)
  }
  return found
}

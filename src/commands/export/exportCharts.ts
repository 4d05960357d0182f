/** Exports the charts: the whole range, regardless of the zoom. */
import { statisticsQuery } from '../../api/statistics.ts'
import { bucketsOfPeriod } from '../../domain/buckets.ts'
import type { ExportType } from '../../domain/exportTable.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { isoIn } from '../../domain/zone.ts'
import { chartedDevices, charts } from '../../store/charts.ts'
import { preferences } from '../../store/preferences.ts'
import type { Services } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { chartTable, missingNote } from './chartTable.ts'
import { saveTable } from './saveTable.ts'

/** Saves the file, and returns a message with its name. Rejects with ApiError, or with AbortError when cancelled. */
export async function exportCharts({ type }: { type: ExportType }, { progress, save }: Services): Promise<string> {
  const zone = systemTimeZone()
  const devices = chartedDevices()
  const view = { units: { ...preferences.units }, zone, now: Date.now() }
  const statistics = statisticsQuery(charts, zone)
  const { range, until } = statistics
  const { table, missing } = chartTable({ devices, statistics, view, progress })
  // Named after the last day. A range that ends at midnight is named after the day that ends then.
  const end = until === undefined ? view.now : bucketsOfPeriod(range, Date.parse(until), zone).edges.at(-1)! - 1
  const day = isoIn(zone, end).slice(0, 10)
  const name = await saveTable(table, `charts-${range}-${day}`, type, { progress, save })
  const message = `Exported ${countOf(devices.length - missing.length, 'devices')} as ${name}`
  return [message, ...missing.map(missingNote)].join('; ')
}

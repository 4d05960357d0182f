/** Exports what is charted: all of the range, whatever the zoom shows of it. */
import { statisticsQuery } from '../../api/statistics.ts'
import type { ExportType } from '../../domain/exportTable.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { isoIn } from '../../domain/zone.ts'
import { chartedDevices, charts } from '../../store/charts.ts'
import { preferences } from '../../store/preferences.ts'
import type { Services } from '../core/command.ts'
import { countOf } from '../core/wording.ts'
import { chartTable, goneOf } from './chartTable.ts'
import { saveTable } from './saveTable.ts'

/** Returns what is to be said. */
export async function exportCharts({ type }: { type: ExportType }, { progress, save }: Services): Promise<string> {
  const zone = systemTimeZone()
  const devices = chartedDevices()
  const view = { units: { ...preferences.units }, zone, now: Date.now() }
  const statistics = statisticsQuery(charts, devices, view.now, zone)
  const { range, until } = statistics
  const { table, missing } = chartTable({ devices, statistics, view, progress })
  // Until the end of a day is until the day that ends.
  const day = isoIn(zone, until === undefined ? view.now : Date.parse(until) - 1).slice(0, 10)
  const name = await saveTable(table, `charts-${range}-${day}`, type, { progress, save })
  const said = `Exported ${countOf(devices.length - missing.length, 'devices')} as ${name}`
  return [said, ...missing.map(goneOf)].join('; ')
}

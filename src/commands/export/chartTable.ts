/** The charts as a table to export: a row for each bucket of each device, a column for each series. */
import type { Progress } from '../../api/readMatches.ts'
import { readStatistics, type DeviceStatistics, type ChartQuery } from '../../api/statistics.ts'
import { periodLabel } from '../../domain/charts/axis.ts'
import { gapText, toUnit, symbolOf } from '../../domain/charts/data.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import type { ExportRow, ExportTable } from '../../domain/exportTable.ts'
import { roundConverted } from '../../domain/units.ts'
import { isoIn } from '../../domain/zone.ts'
import { countOf } from '../core/wording.ts'
import type { View } from './exportColumns.ts'
import { retryWithPrompt } from './retryWithPrompt.ts'

interface ChartTableOptions {
  readonly devices: readonly string[]
  readonly statistics: ChartQuery
  readonly view: View
  readonly progress: Progress
}

/** Few enough for progress to be seen. */
const devicesPerCall = 10

const series = chartKinds.flatMap(kind => kind.series.map(one => ({ kind, ...one })))

/**
 * Returns a table of the whole range, one device after another, with the devices' own time zones if the charts use
 * them. `missing` lists deleted devices and is complete once the last page has been read.
 */
export function chartTable({ devices, statistics, view, progress }: ChartTableOptions): {
  table: ExportTable
  missing: readonly string[]
} {
  const { units, now } = view
  const deviceZones = statistics.inDeviceZone === true
  const missing: string[] = []
  let rangeText: string | undefined
  const rowsOf = ({ bssid, timeZone, statistics: found }: DeviceStatistics): readonly ExportRow[] => {
    const zone = (deviceZones && timeZone) || view.zone
    const localTime = (time: string) => isoIn(zone, Date.parse(time))
    rangeText ??= `${localTime(found.from)} to ${localTime(found.to)}, by ${lengthOf(found.bucket_seconds)}`
    return found.points
      .filter(point => Date.parse(point.at) <= now)
      .map(point => [
        localTime(point.at),
        bssid,
        ...(deviceZones ? [zone] : []),
        ...series.map(({ kind, measure }) => {
          const value = point[measure]
          return value === null ? null : roundConverted(toUnit(kind, value, units))
        }),
      ])
  }
  async function* pages() {
    for (let from = 0; from < devices.length; from += devicesPerCall) {
      const part = devices.slice(from, from + devicesPerCall)
      progress.report(from, devices.length)
      const found = await retryWithPrompt(
        () => readStatistics(part, statistics, progress.signal),
        () => countOf(from, 'devices'),
        progress.signal,
      )
      for (const bssid of part) {
        const device = found.get(bssid)
        // A device that was deleted meanwhile is skipped, and the other devices are exported.
        if (device) yield rowsOf(device)
        else missing.push(bssid)
      }
    }
    progress.report(devices.length, devices.length)
  }
  const table: ExportTable = {
    title: 'Charts',
    zone: deviceZones ? 'each device’s own zone' : view.zone,
    columns: [
      { key: 'at', name: 'Time', times: true },
      { key: 'bssid', name: 'Device' },
      ...(deviceZones ? [{ key: 'time_zone', name: 'Time zone' }] : []),
      ...series.map(({ kind, measure, name }) => ({ key: measure, name, unit: symbolOf(kind, units) })),
    ],
    pages: pages(),
    notes: () => [
      `Exported ${isoIn(view.zone, now)}, times in ${deviceZones ? 'each device’s own zone' : view.zone}`,
      ...(rangeText ? [`${rangeName(statistics, view.zone)}: ${rangeText}`] : []),
      countOf(devices.length - missing.length, 'devices'),
      ...missing.map(missingNote),
      gapText(units),
    ],
  }
  return { table, missing }
}

export const missingNote = (bssid: string): string => `${bssid} no longer exists`

const periodNames = { day: 'Day', week: 'Week', month: 'Month', year: 'Year' } as const
/** Names the range; the dates of a calendar period follow. */
const rangeName = (query: ChartQuery, zone: string): string =>
  query.until === undefined ? periodLabel(query, zone) : periodNames[query.range]

/** Returns the length of a bucket as text: `10 minutes`, `the hour`. */
function lengthOf(seconds: number): string {
  const [size, word] = seconds >= 86_400 ? [86_400, 'day'] : seconds >= 3600 ? [3600, 'hour'] : [60, 'minute']
  const many = Math.round(seconds / size)
  return many === 1 ? `the ${word}` : `${many} ${word}s`
}

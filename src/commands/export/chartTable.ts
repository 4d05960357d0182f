/** What is charted as a table for a file: a row for each bucket of each device, a column for each series. */
import { ApiError } from '../../api/errors.ts'
import type { Progress } from '../../api/readMatches.ts'
import { readStatistics, type DeviceStatistics, type StatisticsQuery } from '../../api/statistics.ts'
import { toUnit, symbolOf } from '../../domain/charts/data.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import type { ExportRow, ExportTable } from '../../domain/exportTable.ts'
import { roundConverted } from '../../domain/units.ts'
import { isoIn } from '../../domain/zone.ts'
import { countOf } from '../core/wording.ts'
import type { View } from './exportColumns.ts'
import { retryWithPrompt } from './retryWithPrompt.ts'

interface Asked {
  readonly devices: readonly string[]
  readonly statistics: StatisticsQuery
  readonly view: View
  readonly progress: Progress
}

const series = chartKinds.flatMap(kind => kind.series.map(one => ({ kind, ...one })))

/**
 * All of the range, one device after another, each on its own clock where the charts have it so. `missing` are those
 * that are there no longer; whole once the last page was read.
 */
export function chartTable({ devices, statistics, view, progress }: Asked): {
  table: ExportTable
  missing: readonly string[]
} {
  const { units, now } = view
  const own = statistics.inDeviceZone === true
  const missing: string[] = []
  let stretch: string | undefined
  const rowsOf = ({ bssid, timeZone, statistics: found }: DeviceStatistics): readonly ExportRow[] => {
    const zone = (own && timeZone) || view.zone
    const at = (time: string) => isoIn(zone, Date.parse(time))
    stretch ??= `${at(found.from)} to ${at(found.to)}, by ${lengthOf(found.bucket_seconds)}`
    return found.points
      .filter(point => Date.parse(point.at) <= now)
      .map(point => [
        at(point.at),
        bssid,
        ...(own ? [zone] : []),
        ...series.map(({ kind, measure }) => {
          const value = point[measure]
          return value === null ? null : roundConverted(toUnit(kind, value, units))
        }),
      ])
  }
  async function* pages() {
    for (const [at, bssid] of devices.entries()) {
      progress.at(at, devices.length)
      try {
        yield rowsOf(
          await retryWithPrompt(
            () => readStatistics(bssid, statistics, progress.signal),
            () => countOf(at, 'devices'),
            progress.signal,
          ),
        )
      } catch (error) {
        // Deleted while it was selected: the others are still wanted.
        if (!(error instanceof ApiError && error.status === 404)) throw error
        missing.push(bssid)
      }
    }
    progress.at(devices.length, devices.length)
  }
  const table: ExportTable = {
    title: 'Charts',
    zone: own ? 'each device’s own zone' : view.zone,
    columns: [
      { key: 'at', name: 'Time', times: true },
      { key: 'bssid', name: 'Device' },
      ...(own ? [{ key: 'time_zone', name: 'Time zone' }] : []),
      ...series.map(({ kind, measure, name }) => ({ key: measure, name, unit: symbolOf(kind, units) })),
    ],
    pages: pages(),
    notes: () => [
      `Exported ${isoIn(view.zone, now)}, times in ${own ? 'each device’s own zone' : view.zone}`,
      ...(stretch ? [`${rangeNames[statistics.range]}: ${stretch}`] : []),
      countOf(devices.length - missing.length, 'devices'),
      ...missing.map(goneOf),
    ],
  }
  return { table, missing }
}

export const goneOf = (bssid: string): string => `${bssid} is there no longer`

const rangeNames = { day: 'Day', week: 'Week', month: 'Month', year: 'Year' } as const

function lengthOf(seconds: number): string {
  const [size, word] = seconds >= 86_400 ? [86_400, 'day'] : seconds >= 3600 ? [3600, 'hour'] : [60, 'minute']
  const many = Math.round(seconds / size)
  return many === 1 ? `the ${word}` : `${many} ${word}s`
}

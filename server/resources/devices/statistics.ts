/** Statistics of devices: their readings aggregated by the buckets of a chart. */
import type * as z from 'zod/mini'
import type { Point } from '../../../src/api/contract/statistics.ts'
import { emptyPoint } from '../../../src/domain/charts/emptyPoint.ts'
import { isEnoughWater, recovery, rejection } from '../../../src/domain/ro.ts'
import type { MeanColumns } from '../../telemetry/means.ts'
import type { Grid, TelemetryStore } from '../../telemetry/store.ts'

/** Values in litres, l/min, %, ppm, bar and °C; null if there are no readings. */
export type Statistics = Omit<z.input<typeof Point>, 'at'>

/** An array for each measure, with a value for each bucket of the grid; null in buckets without readings. */
export type Series = { readonly [Measure in keyof Statistics]: Statistics[Measure][] }

const measures = Object.keys(emptyPoint) as (keyof Statistics)[]

/** Returns the series of each device. A rollup belongs to the bucket that contains its start. */
export async function statisticsOf(
  telemetry: TelemetryStore,
  bssids: readonly string[],
  grid: Grid,
  now: Date,
): Promise<ReadonlyMap<string, Series>> {
  const meansByDevice = await telemetry.means(bssids, grid, now)
  const buckets = new Map(grid.edges.slice(0, -1).map((start, index) => [start, index]))
  return new Map(bssids.map(bssid => [bssid, seriesOf(meansByDevice.get(bssid), buckets)]))
}

/** Returns the values of a bucket. */
export const pointOf = (series: Series, bucket: number): Statistics =>
  Object.fromEntries(measures.map(measure => [measure, series[measure][bucket]])) as Statistics

/**
 * Returns the series of a device's means. Filled array by array, because an object for each of thousands of buckets would
 * take longer than the query. `buckets`: the index of each bucket by its start.
 */
function seriesOf(means: MeanColumns | undefined, buckets: ReadonlyMap<number, number>): Series {
  const empty = Array.from({ length: buckets.size }, () => null)
  const series = Object.fromEntries(measures.map(measure => [measure, [...empty]])) as unknown as Series
  means?.start.forEach((start, row) => {
    const bucket = buckets.get(start)
    if (bucket === undefined) return
    const [feed, permeate] = [means.feed[row]!, means.permeate[row]!]
    const [feedTds, permeateTds] = [means.feed_tds[row]!, means.permeate_tds[row]!]
    const [feedFlow, permeateFlow] = [means.last_feed_flow[row]!, means.last_permeate_flow[row]!]
    series.feed[bucket] = rounded(feed)
    series.permeate[bucket] = rounded(permeate)
    series.waste[bucket] = rounded(Math.max(0, feed - permeate))
    series.production_rate[bucket] = rounded(means.production_rate[row]!)
    if (isEnoughWater(feed, permeate)) {
      series.recovery_rate[bucket] = rounded(recovery(permeate, feed))
      if (feedFlow !== null && permeateFlow !== null)
        series.instant_recovery_rate[bucket] = rounded(recovery(permeateFlow, feedFlow))
    }
    if (feedTds !== null && permeateTds !== null)
      series.rejection_rate[bucket] = rounded(rejection(feedTds, permeateTds))
    series.feed_tds[bucket] = rounded(feedTds)
    series.permeate_tds[bucket] = rounded(permeateTds)
    series.pressure[bucket] = rounded(means.pressure[row]!)
    series.temperature[bucket] = rounded(means.temperature[row]!)
  })
  return series
}

/** Rounds to a millionth, the precision of readings, to remove floating-point tails. For output only. */
function rounded(value: number): number
function rounded(value: number | null): number | null
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6
}

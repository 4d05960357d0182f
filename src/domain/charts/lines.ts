/** Series as lines on the shared time axis, and their readings at a row. */
import { bandsOf, type Band } from './bands.ts'
import { chartGrid, type Clock, type Grid, type GridRow } from './grid.ts'
import { toUnit, valuesByRow, type ChartDevice } from './data.ts'
import type { ChartKind, Measure, Series } from './charts.ts'
import { isEnoughWater } from '../ro.ts'
import type { UnitChoice } from '../units.ts'

export interface LinePoint {
  readonly x: number
  /** In the chosen unit; null interrupts the line. */
  readonly y: number | null
}
export interface ChartLine {
  readonly device: ChartDevice
  readonly series: Series
  readonly points: readonly LinePoint[]
  /** Points without a neighbour, which a line would not show. */
  readonly isolated: readonly LinePoint[]
  /** Around the points of a line of means, in the chosen unit; without gaps within each part. Empty for other lines. */
  readonly bands: readonly (readonly BandPoint[])[]
}
export interface BandPoint {
  readonly x: number
  readonly low: number
  readonly high: number
}
export interface SeriesReading {
  readonly device: ChartDevice
  readonly series: Series
  /** In the base unit; null without a reading, undefined if the device has no bucket in that row. */
  readonly value: number | null | undefined
  /** Whether a recovery is missing because there was too little water. */
  readonly tooLittleWater: boolean
}

/** Devices on one time axis. */
export interface ChartModel {
  readonly devices: readonly ChartDevice[]
  readonly grid: Grid
  /** A bucket's usual length. */
  readonly seconds: number
  /** Returns a device's values by row of the grid. */
  values(deviceIndex: number, measure: Measure): readonly (number | null | undefined)[]
}

/** Places devices on one time axis. */
export function chartModel(devices: readonly ChartDevice[], clock: Clock): ChartModel {
  const grid = chartGrid(devices, clock)
  const cache = new Map<string, readonly (number | null | undefined)[]>()
  return {
    devices,
    grid,
    seconds: devices[0]?.statistics.bucket_seconds ?? 0,
    values(deviceIndex, measure) {
      const key = `${deviceIndex} ${measure}`
      const values =
        cache.get(key) ?? valuesByRow(grid.deviceRows[deviceIndex]!, grid.rows.length, devices[deviceIndex]!, measure)
      cache.set(key, values)
      return values
    },
  }
}

/** A device's series in one chart: a line, or a column of the table. */
export interface DeviceSeries {
  readonly device: ChartDevice
  readonly series: Series
  /**
   * By row of the grid, in the base unit; null without a reading, undefined if the device has no bucket in that row.
   */
  readonly values: readonly (number | null | undefined)[]
}

/** Returns the series of one chart for the devices that are not hidden. */
const seriesOf = (model: ChartModel, kind: ChartKind, hidden: ReadonlySet<string>): readonly DeviceSeries[] =>
  model.devices.flatMap((device, index) =>
    hidden.has(device.bssid)
      ? []
      : kind.series.map(series => ({ device, series, values: model.values(index, series.measure) })),
  )

/** Returns a chart's table: a column for each series, and the rows that have started by `now` (UTC), newest first. */
export function tableOf(
  model: ChartModel,
  kind: ChartKind,
  hidden: ReadonlySet<string>,
  now: number,
): { columns: readonly DeviceSeries[]; rows: readonly { readonly row: GridRow; readonly at: number }[] } {
  const rows = model.grid.rows.flatMap((row, at) => (row.startsAt > now ? [] : [{ row, at }]))
  return { columns: seriesOf(model, kind, hidden), rows: rows.toReversed() }
}

/**
 * Returns a chart's lines for the devices that are not hidden. Amounts are drawn as steps that last until their bucket
 * ends. With `asBands`, lines show means, and have bands.
 */
export function linesOf(
  model: ChartModel,
  kind: ChartKind,
  units: UnitChoice,
  hidden: ReadonlySet<string>,
  asBands: boolean,
): readonly ChartLine[] {
  const convert = (value: number) => toUnit(kind, value, units)
  return seriesOf(model, kind, hidden).map(({ device, series, values }) => {
    if (!asBands) return { device, series, ...pointsOf(model, values, convert, kind.sums), bands: [] }
    const bands = bandsOf(values)
    const means = bands.map(band => band && band.mean)
    return { device, series, ...pointsOf(model, means, convert, false), bands: partsOf(model, bands, convert) }
  })
}

/** Returns the parts of a band between gaps. */
function partsOf(
  { grid: { rows } }: ChartModel,
  bands: readonly (Band | null | undefined)[],
  convert: (value: number) => number,
): readonly (readonly BandPoint[])[] {
  const parts: BandPoint[][] = []
  let isJoined = false
  for (const [row, band] of bands.entries()) {
    if (band === undefined) continue
    if (band) {
      const point = { x: rows[row]!.x, low: convert(band.low), high: convert(band.high) }
      if (isJoined) parts.at(-1)!.push(point)
      else parts.push([point])
    }
    isJoined = band !== null
  }
  return parts
}

/** Returns the lowest and the highest value of lines and bands, in the chosen unit; undefined without values. */
export function extentOf(lines: readonly ChartLine[]): { readonly min: number; readonly max: number } | undefined {
  let [min, max] = [Infinity, -Infinity]
  const include = (value: number) => {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  for (const { points, bands } of lines) {
    for (const { y } of points) if (y !== null) include(y)
    for (const { low, high } of bands.flat()) {
      include(low)
      include(high)
    }
  }
  return min <= max ? { min, max } : undefined
}

function pointsOf(
  { grid: { rows, end } }: ChartModel,
  values: readonly (number | null | undefined)[],
  convert: (value: number) => number,
  asSteps: boolean,
): { points: readonly LinePoint[]; isolated: readonly LinePoint[] } {
  const points: LinePoint[] = []
  const isolated: LinePoint[] = []
  /** The previous point, unless the line was interrupted after it. */
  let previous: LinePoint | undefined
  let joined = false
  const endLine = (x: number) => {
    if (!previous) return
    if (asSteps) points.push({ x, y: previous.y })
    else if (!joined) isolated.push(previous)
    previous = undefined
    joined = false
  }
  for (const [row, value] of values.entries()) {
    if (value === undefined) continue
    const { x } = rows[row]!
    if (value === null) {
      endLine(x)
      points.push({ x, y: null })
      continue
    }
    const point = { x, y: convert(value) }
    points.push(point)
    joined = previous !== undefined
    previous = point
  }
  endLine(end)
  return { points, isolated }
}

/** Returns the readings of a chart's series in a row, by device. */
export const readingsAt = (
  model: ChartModel,
  kind: ChartKind,
  row: number,
  hidden: ReadonlySet<string>,
): readonly SeriesReading[] =>
  seriesOf(model, kind, hidden).map(({ device, series, values }) => {
    const value = values[row]
    return {
      device,
      series,
      value,
      tooLittleWater: kind.needsWater === true && value === null && hasLittleWater(model, device, row),
    }
  })

/** Returns whether a device has readings in a row, with too little water for a recovery. */
function hasLittleWater(model: ChartModel, device: ChartDevice, row: number): boolean {
  const index = model.devices.indexOf(device)
  const [feed, permeate] = [model.values(index, 'feed')[row], model.values(index, 'permeate')[row]]
  return typeof feed === 'number' && typeof permeate === 'number' && !isEnoughWater(feed, permeate)
}

/** Returns the row nearest to a position among those from `from` to `to`; undefined if there is none. */
export function nearestRow({ rows }: Grid, x: number, from = -Infinity, to = Infinity): number | undefined {
  let nearest: number | undefined
  for (const [row, { x: rowX }] of rows.entries()) {
    if (rowX < from || rowX > to) continue
    if (nearest !== undefined && Math.abs(rowX - x) >= Math.abs(rows[nearest]!.x - x)) break
    nearest = row
  }
  return nearest
}

/**
 * Returns the position `by` steps from `x`, limited to the first and last. If `x` is undefined, stepping forward starts at
 * the first position and stepping back at the last.
 */
export function stepAlong(positions: readonly number[], x: number | undefined, by: number): number | undefined {
  if (by > 0) {
    const next = x === undefined ? 0 : positions.findIndex(position => position > x)
    return next < 0 ? x : positions[Math.min(next + by - 1, positions.length - 1)]
  }
  const next = x === undefined ? positions.length - 1 : positions.findLastIndex(position => position < x)
  return next < 0 ? x : positions[Math.max(next + by + 1, 0)]
}

/** Returns an instant's position on the axis for one of the devices, and its row; undefined outside the statistics. */
export function positionOnAxis(
  { devices, grid }: Pick<ChartModel, 'devices' | 'grid'>,
  deviceIndex: number,
  instant: number,
): { x: number; row: number } | undefined {
  const { points, to } = devices[deviceIndex]!.statistics
  if (instant >= Date.parse(to)) return undefined
  const index = points.findLastIndex(point => Date.parse(point.at) <= instant)
  if (index < 0) return undefined
  const row = grid.deviceRows[deviceIndex]![index]!
  return { x: grid.rows[row]!.x + instant - Date.parse(points[index]!.at), row }
}

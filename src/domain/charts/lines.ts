/** Series as lines on the shared time axis, and what they read at a moment. */
import { chartGrid, type Clock, type Grid, type GridRow } from './grid.ts'
import { inUnit, valuesOn, type ChartDevice } from './data.ts'
import type { ChartKind, Measure, Series } from './charts.ts'
import type { UnitChoice } from '../units.ts'

export interface LinePoint {
  readonly x: number
  /** In the chosen unit; null breaks the line. */
  readonly y: number | null
}
export interface ChartLine {
  readonly device: ChartDevice
  readonly series: Series
  readonly points: readonly LinePoint[]
  /** Those that have no neighbour. */
  readonly alone: readonly LinePoint[]
}
export interface Reading {
  readonly device: ChartDevice
  readonly series: Series
  /** In its base unit; null where nothing was read, undefined where the device's clock has no such moment. */
  readonly value: number | null | undefined
}

/** Devices on one time axis. */
export interface ChartModel {
  readonly devices: readonly ChartDevice[]
  readonly grid: Grid
  /** A bucket's usual length. */
  readonly seconds: number
  /** By row of the grid. */
  values(place: number, measure: Measure): readonly (number | null | undefined)[]
}

export function chartModel(devices: readonly ChartDevice[], clock: Clock): ChartModel {
  const grid = chartGrid(devices, clock)
  const known = new Map<string, readonly (number | null | undefined)[]>()
  return {
    devices,
    grid,
    seconds: devices[0]?.statistics.bucket_seconds ?? 0,
    values(place, measure) {
      const key = `${place} ${measure}`
      const values = known.get(key) ?? valuesOn(grid.places[place]!, grid.rows.length, devices[place]!, measure)
      known.set(key, values)
      return values
    },
  }
}

/** What one chart shows of a device: a line, or a column of numbers. */
export interface ShownSeries {
  readonly device: ChartDevice
  readonly series: Series
  /** By row of the grid, in its base unit; null where nothing was read, undefined where its clock has no such moment. */
  readonly values: readonly (number | null | undefined)[]
}

/** The series of one chart, of the devices that are not hidden. */
const seriesOf = (model: ChartModel, kind: ChartKind, hidden: ReadonlySet<string>): readonly ShownSeries[] =>
  model.devices.flatMap((device, place) =>
    hidden.has(device.bssid)
      ? []
      : kind.series.map(series => ({ device, series, values: model.values(place, series.measure) })),
  )

/** The numbers of one chart: a column for each series, and the rows that have begun by `now` (UTC), the newest first. */
export function tableOf(
  model: ChartModel,
  kind: ChartKind,
  hidden: ReadonlySet<string>,
  now: number,
): { columns: readonly ShownSeries[]; rows: readonly { readonly row: GridRow; readonly at: number }[] } {
  const rows = model.grid.rows.flatMap((row, at) => (row.begins > now ? [] : [{ row, at }]))
  return { columns: seriesOf(model, kind, hidden), rows: rows.toReversed() }
}

/** The lines of one chart, of the devices that are not hidden. What adds up holds until its bucket ends. */
export function linesOf(
  model: ChartModel,
  kind: ChartKind,
  units: UnitChoice,
  hidden: ReadonlySet<string>,
): readonly ChartLine[] {
  return seriesOf(model, kind, hidden).map(({ device, series, values }) => ({
    device,
    series,
    ...pointsOf(model, values, value => inUnit(kind, value, units), kind.sums),
  }))
}

function pointsOf(
  { grid: { rows, end } }: ChartModel,
  values: readonly (number | null | undefined)[],
  convert: (value: number) => number,
  holds: boolean,
): { points: readonly LinePoint[]; alone: readonly LinePoint[] } {
  const points: LinePoint[] = []
  const alone: LinePoint[] = []
  /** The point before, where it is joined to what follows. */
  let before: LinePoint | undefined
  let joined = false
  const breakOff = (x: number) => {
    if (!before) return
    if (holds) points.push({ x, y: before.y })
    else if (!joined) alone.push(before)
    before = undefined
    joined = false
  }
  for (const [row, value] of values.entries()) {
    if (value === undefined) continue
    const { x } = rows[row]!
    if (value === null) {
      breakOff(x)
      points.push({ x, y: null })
      continue
    }
    const point = { x, y: convert(value) }
    points.push(point)
    joined = before !== undefined
    before = point
  }
  breakOff(end)
  return { points, alone }
}

/** What a chart's series read in a row, device by device. */
export const readingsAt = (
  model: ChartModel,
  kind: ChartKind,
  row: number,
  hidden: ReadonlySet<string>,
): readonly Reading[] =>
  seriesOf(model, kind, hidden).map(({ device, series, values }) => ({ device, series, value: values[row] }))

/** The row nearest to a position, among those between `from` and `to`; undefined where there is none. */
export function nearestRow({ rows }: Grid, x: number, from = -Infinity, to = Infinity): number | undefined {
  let nearest: number | undefined
  for (const [row, { x: there }] of rows.entries()) {
    if (there < from || there > to) continue
    if (nearest !== undefined && Math.abs(there - x) >= Math.abs(rows[nearest]!.x - x)) break
    nearest = row
  }
  return nearest
}

/** Where one gets from `x` by so many steps, at most to the end; from nowhere one comes in at the far end. */
export function stepped(places: readonly number[], x: number | undefined, by: number): number | undefined {
  if (by > 0) {
    const next = x === undefined ? 0 : places.findIndex(place => place > x)
    return next < 0 ? x : places[Math.min(next + by - 1, places.length - 1)]
  }
  const next = x === undefined ? places.length - 1 : places.findLastIndex(place => place < x)
  return next < 0 ? x : places[Math.max(next + by + 1, 0)]
}

/** Where an instant, milliseconds UTC, lies on the axis for one of the devices, and in which row; undefined beside it. */
export function placeOnAxis(
  { devices, grid }: Pick<ChartModel, 'devices' | 'grid'>,
  place: number,
  instant: number,
): { x: number; row: number } | undefined {
  const { points, to } = devices[place]!.statistics
  if (instant >= Date.parse(to)) return undefined
  const at = points.findLastIndex(point => Date.parse(point.at) <= instant)
  if (at < 0) return undefined
  const row = grid.places[place]![at]!
  return { x: grid.rows[row]!.x + instant - Date.parse(points[at]!.at), row }
}

/** What the charts, their table and their export are made of: devices' statistics on one time axis. */
import { chartGrid, type Clock } from './chartGrid.ts'
import { chartKinds, type ChartKind, type Measure, type Series } from './charts.ts'
import type { ExportCell, ExportColumn } from './exportTable.ts'
import { amount, missing, percent } from './format.ts'
import { tidy, unitOf, type UnitChoice } from './units.ts'

/** A bucket: `at` is ISO 8601 of its begin; litres, l/min, %, ppm, bar, °C; null where nothing was read. */
export type ChartPoint = { readonly at: string } & Readonly<Record<Measure, number | null>>

export interface ChartStatistics {
  /** ISO 8601. */
  readonly from: string
  readonly to: string
  /** A bucket's usual length. */
  readonly bucket_seconds: number
  readonly points: readonly ChartPoint[]
}

export interface ChartDevice {
  readonly bssid: string
  /** What a person knows it by. */
  readonly name: string
  /** Its own wherever it is shown; any CSS colour. */
  readonly colour: string
  /** IANA; null is the viewer's. */
  readonly timeZone: string | null
  readonly statistics: ChartStatistics
}

export interface ChartColumn extends ExportColumn {
  /** Undefined for the time. */
  readonly device: ChartDevice | undefined
  readonly series: Series | undefined
}

export interface ChartTable {
  /** The time, then for each device the series of each chart. */
  readonly columns: readonly ChartColumn[]
  /**
   * A row for each bucket that has begun: its time, ISO 8601, with the offset from UTC on the viewer's clock and
   * without one where each device has its own; then numbers in the chosen units, null where nothing was read.
   */
  readonly rows: readonly (readonly ExportCell[])[]
}

interface Asked {
  /** All eight where none are named. */
  readonly kinds?: readonly ChartKind[]
  readonly units: UnitChoice
  readonly clock: Clock
  /** Milliseconds UTC: what has not begun then is left out. */
  readonly now: number
}

/** The table of what is charted; the charts' own and the one that is exported. */
export function chartRows(
  devices: readonly ChartDevice[],
  { kinds = chartKinds, units, clock, now }: Asked,
): ChartTable {
  const grid = chartGrid(devices, clock)
  const columns = devices.flatMap((device, place) =>
    kinds.flatMap(kind =>
      kind.series.map(series => ({
        name: `${device.name} ${series.name}`,
        unit: symbolOf(kind, units),
        device,
        series,
        values: valuesOn(grid.places[place]!, grid.rows.length, device, series.measure).map(value =>
          typeof value === 'number' ? tidy(inUnit(kind, value, units)) : null,
        ),
      })),
    ),
  )
  return {
    columns: [
      { name: 'Time', device: undefined, series: undefined },
      ...columns.map(({ values: _values, ...column }) => column),
    ],
    rows: grid.rows.flatMap((row, at) =>
      row.begins > now ? [] : [[row.time, ...columns.map(({ values }) => values[at] ?? null)]],
    ),
  }
}

/** A device's values by row of the grid; undefined where its clock has no such bucket. */
export function valuesOn(
  places: readonly number[],
  rows: number,
  device: ChartDevice,
  measure: Measure,
): (number | null | undefined)[] {
  const values = Array<number | null | undefined>(rows).fill(undefined)
  for (const [at, point] of device.statistics.points.entries()) values[places[at]!] = point[measure]
  return values
}

export const symbolOf = (kind: ChartKind, units: UnitChoice): string =>
  kind.unit === 'percent' ? '%' : unitOf(kind.unit, units).symbol

/** A value in its base unit as a number in the chosen one. */
export const inUnit = (kind: ChartKind, value: number, units: UnitChoice): number =>
  kind.unit === 'percent' ? value : unitOf(kind.unit, units).fromBase(value)

/** A value in its base unit as a person reads it: `4.22 bar`; a dash where nothing was read. */
export function shownValue(kind: ChartKind, value: number | null | undefined, units: UnitChoice): string {
  if (value === null || value === undefined) return missing
  const digits = kind.unit === 'percent' ? percent(value) : amount(value, kind.unit, units)
  return `${digits} ${symbolOf(kind, units)}`
}

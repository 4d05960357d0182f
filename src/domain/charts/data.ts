/** What the charts, their table and their export are made of: devices' statistics, and their values as they are shown. */
import type { ChartKind, Measure } from './charts.ts'
import { amount, missing, percent } from '../format.ts'
import { unitOf, type UnitChoice } from '../units.ts'

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

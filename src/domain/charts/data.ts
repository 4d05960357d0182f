/** The data behind the charts, their table and their export: device statistics and their display values. */
import type { ChartKind, Measure } from './charts.ts'
import { formatAmount, noValue, formatPercent } from '../format.ts'
import { enoughWater } from '../ro.ts'
import { unitOf, type UnitChoice } from '../units.ts'

/** A bucket: `at` is the ISO time of its start; litres, l/min, %, ppm, bar, °C; null without a reading. */
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
  /** The display name. */
  readonly name: string
  /** The device's colour everywhere; any CSS colour. */
  readonly colour: string
  /** IANA name; null is the viewer's zone. */
  readonly timeZone: string | null
  readonly statistics: ChartStatistics
}

/**
 * Returns a device's values by row of the grid; undefined if the device has no bucket in that row. `rowOfPoint`: the row
 * of each of its points.
 */
export function valuesByRow(
  rowOfPoint: readonly number[],
  rows: number,
  device: ChartDevice,
  measure: Measure,
): (number | null | undefined)[] {
  const values = Array<number | null | undefined>(rows).fill(undefined)
  for (const [index, point] of device.statistics.points.entries()) values[rowOfPoint[index]!] = point[measure]
  return values
}

/** Returns the symbol of the chart's chosen unit. */
export const symbolOf = (kind: ChartKind, units: UnitChoice): string =>
  kind.unit === 'percent' ? '%' : unitOf(kind.unit, units).symbol

/** Converts a value from its base unit to the chosen unit. */
export const toUnit = (kind: ChartKind, value: number, units: UnitChoice): number =>
  kind.unit === 'percent' ? value : unitOf(kind.unit, units).fromBase(value)

/** Returns the least water for a recovery as texts: `0.25 l`, or in the chosen unit. */
export function enoughWaterTexts(units: UnitChoice): { readonly permeate: string; readonly feed: string } {
  const { fromBase, symbol } = unitOf('volume', units)
  const textOf = (litres: number) => `${Number(fromBase(litres).toPrecision(2))} ${symbol}`
  return { permeate: textOf(enoughWater.permeate), feed: textOf(enoughWater.feed) }
}

/** Returns why recoveries have gaps, in one sentence. */
export function gapText(units: UnitChoice): string {
  const { permeate, feed } = enoughWaterTexts(units)
  return `Recovery has a gap where less than ${permeate} of permeate came from less than ${feed} of feed water`
}

/** Formats a value, given in its base unit, with its symbol: `4.22 bar`; a dash without a reading. */
export function formatValue(kind: ChartKind, value: number | null | undefined, units: UnitChoice): string {
  if (value === null || value === undefined) return noValue
  const digits = kind.unit === 'percent' ? formatPercent(value) : formatAmount(value, kind.unit, units)
  return `${digits} ${symbolOf(kind, units)}`
}

/** The eight charts of a device's statistics (specification, section 2), as data: their series and units. */
import type { Quantity } from '../units.ts'

/** A measure of a statistics bucket, by its name in the API; litres, l/min, %, ppm, bar, °C. */
export type Measure =
  | 'feed'
  | 'permeate'
  | 'waste'
  | 'production_rate'
  | 'recovery_rate'
  | 'instant_recovery_rate'
  | 'rejection_rate'
  | 'feed_tds'
  | 'permeate_tds'
  | 'pressure'
  | 'temperature'

export interface Series {
  readonly measure: Measure
  readonly name: string
}
export interface ChartKind {
  readonly id: string
  readonly title: string
  /** The quantity whose chosen unit the values are shown in; `percent` has only one unit. */
  readonly unit: Quantity | 'percent'
  readonly series: readonly Series[]
  /** Whether values are amounts per bucket (litres) rather than levels. */
  readonly sums: boolean
  /** Whether buckets with next to no water have no value, see `enoughWater`. */
  readonly needsWater?: true
}

const series = (measure: Measure, name: string): Series => ({ measure, name })

export const chartKinds = [
  {
    id: 'production',
    title: 'Water production and waste',
    unit: 'volume',
    series: [series('permeate', 'Permeate'), series('waste', 'Waste')],
    sums: true,
  },
  {
    id: 'usage_efficiency',
    title: 'Usage efficiency',
    unit: 'percent',
    series: [series('recovery_rate', 'Recovery')],
    sums: false,
    needsWater: true,
  },
  {
    id: 'purification',
    title: 'Purification',
    unit: 'concentration',
    series: [series('feed_tds', 'Feed TDS'), series('permeate_tds', 'Permeate TDS')],
    sums: false,
  },
  {
    id: 'purification_efficiency',
    title: 'Purification efficiency',
    unit: 'percent',
    series: [series('rejection_rate', 'Rejection')],
    sums: false,
  },
  {
    id: 'production_rate',
    title: 'Production rate',
    unit: 'flow',
    series: [series('production_rate', 'Production rate')],
    sums: false,
  },
  {
    id: 'instant_recovery',
    title: 'Instant recovery rate',
    unit: 'percent',
    series: [series('instant_recovery_rate', 'Instant recovery')],
    sums: false,
    needsWater: true,
  },
  { id: 'pressure', title: 'Pressure', unit: 'pressure', series: [series('pressure', 'Pressure')], sums: false },
  {
    id: 'temperature',
    title: 'Temperature',
    unit: 'temperature',
    series: [series('temperature', 'Temperature')],
    sums: false,
  },
] as const satisfies readonly ChartKind[]
export type ChartId = (typeof chartKinds)[number]['id']

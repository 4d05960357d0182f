/** Rollups: sums over readings by ten minutes, hour and day. */

/** A rollup in litres, ppm, bar, °C and l/min; a `_count` is the number of values in the `_sum`. */
export interface Rollup {
  readonly bssid: string
  /** Start of the bucket, milliseconds UTC. */
  readonly at: number
  readonly readings: number
  readonly feed: number
  readonly permeate: number
  /** Permeate flow in l/min, over readings with flow. */
  readonly production_sum: number
  readonly production_count: number
  readonly feed_tds_sum: number
  readonly feed_tds_count: number
  readonly permeate_tds_sum: number
  readonly permeate_tds_count: number
  readonly pressure_sum: number
  readonly pressure_count: number
  readonly temperature_sum: number
  readonly temperature_count: number
  /** Time of the newest reading with permeate flow (milliseconds UTC), and its flows in l/min. */
  readonly flow_at: number | null
  readonly last_feed_flow: number | null
  readonly last_permeate_flow: number | null
}

/** The length of a rollup's bucket. */
export type Level = 'ten minutes' | 'hour' | 'day'

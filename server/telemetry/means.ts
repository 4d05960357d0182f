/** Mean values of devices by bucket. */

/** The mean values of a bucket; null if no reading has the value. */
export interface Means {
  /** Litres in the bucket. */
  readonly feed: number
  readonly permeate: number
  /** l/min over the readings with permeate flow. */
  readonly production_rate: number | null
  /** ppm, ppm, bar and °C. */
  readonly feed_tds: number | null
  readonly permeate_tds: number | null
  readonly pressure: number | null
  readonly temperature: number | null
  /** l/min of the newest reading with permeate flow. */
  readonly last_feed_flow: number | null
  readonly last_permeate_flow: number | null
}

/**
 * The means of a device's buckets: an array for each value, and one for the starts of the buckets, milliseconds UTC. The
 * buckets are in any order, and those without readings are absent.
 */
export interface MeanColumns extends Columns {
  readonly start: number[]
}
type Columns = { readonly [Name in keyof Means]: Means[Name][] }

/** Adds buckets to the means of a device. */
export function appendMeans(means: MeanColumns, more: MeanColumns): void {
  for (const name of Object.keys(means) as (keyof MeanColumns)[]) {
    const column: (number | null)[] = means[name]
    column.push(...more[name])
  }
}

/** Totals of a device's statistics over several buckets. */
import { recovery } from './ro.ts'

/** Litres in the bucket, and rejection in %; null without a reading. */
export interface Bucket {
  readonly feed: number | null
  readonly permeate: number | null
  readonly waste: number | null
  readonly rejection_rate: number | null
}
export interface Totals {
  /** Litres. */
  readonly permeate: number | null
  readonly waste: number | null
  /** %: total permeate over total feed. */
  readonly recovery: number | null
  /** %: mean weighted by permeate, so that readings without production do not count. */
  readonly rejection: number | null
}

/** Returns the totals; a total is null if no bucket has a reading for it. */
export function totalsOf(buckets: readonly Bucket[]): Totals {
  let feed = 0
  let weightedRejection = 0
  let weight = 0
  for (const bucket of buckets) {
    feed += bucket.feed ?? 0
    if (bucket.rejection_rate === null || bucket.permeate === null) continue
    weightedRejection += bucket.rejection_rate * bucket.permeate
    weight += bucket.permeate
  }
  const permeate = sum(buckets.map(bucket => bucket.permeate))
  return {
    permeate,
    waste: sum(buckets.map(bucket => bucket.waste)),
    recovery: permeate === null ? null : recovery(permeate, feed),
    rejection: weight > 0 ? weightedRejection / weight : null,
  }
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((all, value) => (value === null ? all : (all ?? 0) + value), null)

/** What a device has done over several buckets of its statistics. */
import { recovery } from './ro.ts'

/** Litres in the bucket and salt held back, %; null where nothing was read. */
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
  /** %: permeate over feed of all buckets together. */
  readonly recovery: number | null
  /** %: the mean over the permeate, so that what was measured while nothing was produced does not count. */
  readonly rejection: number | null
}

/** Null where no bucket tells anything. */
export function totalsOf(buckets: readonly Bucket[]): Totals {
  let feed = 0
  let salt = 0
  let salted = 0
  for (const bucket of buckets) {
    feed += bucket.feed ?? 0
    if (bucket.rejection_rate === null || bucket.permeate === null) continue
    salt += bucket.rejection_rate * bucket.permeate
    salted += bucket.permeate
  }
  const permeate = sum(buckets.map(bucket => bucket.permeate))
  return {
    permeate,
    waste: sum(buckets.map(bucket => bucket.waste)),
    recovery: permeate === null ? null : recovery(permeate, feed),
    rejection: salted > 0 ? salt / salted : null,
  }
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((all, value) => (value === null ? all : (all ?? 0) + value), null)

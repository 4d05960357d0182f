/** Means and bands, by which lines of many daily values stay readable. */
import { msPerDay } from '../time.ts'

/** Days over which a mean and its band extend: those of a week, as people use water differently at weekends. */
export const bandDays = 7

/** With fewer values than this on screen, lines show each of them. */
const minValues = 62

/** Returns whether lines show means with bands. `seconds`: a bucket's length; `buckets`: how many are visible. */
export const hasBands = (seconds: number, buckets: number): boolean =>
  seconds * 1000 >= msPerDay && buckets >= minValues

/** The mean of several days, and the lowest and highest of their values. */
export interface Band {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/**
 * Returns for each value the band of the seven values around it, fewer at the ends and beside gaps. A gap stays a gap:
 * null without a reading, undefined without a bucket.
 */
export const bandsOf = (values: readonly (number | null | undefined)[]): (Band | null | undefined)[] =>
  values.map((value, at) => {
    if (value === null || value === undefined) return value
    const around = values
      .slice(Math.max(0, at - (bandDays - 1) / 2), at + (bandDays + 1) / 2)
      .filter(one => one !== null && one !== undefined)
    const low = Math.min(...around)
    const high = Math.max(...around)
    const mean = around.reduce((sum, one) => sum + one, 0) / around.length
    // Rounding could move the mean of equal values out of their range.
    return { mean: Math.min(high, Math.max(low, mean)), low, high }
  })

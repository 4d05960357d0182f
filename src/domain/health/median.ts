/** Robust means. */

/** Returns the median of the values (which it leaves in their order), or NaN without values. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

/** Returns the standard deviation by the median absolute deviation; 0 without values. */
export function robustDeviation(values: ArrayLike<number>, centre = median(values)): number {
  return values.length === 0 ? 0 : 1.4826 * median(Float64Array.from(values, value => Math.abs(value - centre)))
}

/** Robust means. */

/** Room for the values that most medians are of; larger lists are sorted by the engine. */
const buffer = new Float64Array(64)

/** Returns the median of the values (which it leaves in their order), or NaN without values. */
export function median(values: ArrayLike<number>): number {
  const n = values.length
  if (n > buffer.length) {
    const sorted = Float64Array.from(values).sort()
    return (sorted[(n - 1) >> 1]! + sorted[n >> 1]!) / 2
  }
  if (n === 0) return NaN
  // Insertion is the quickest for a few values.
  for (let index = 0; index < n; index++) {
    const value = values[index]!
    let place = index
    while (place > 0 && buffer[place - 1]! > value) {
      buffer[place] = buffer[place - 1]!
      place--
    }
    buffer[place] = value
  }
  return (buffer[(n - 1) >> 1]! + buffer[n >> 1]!) / 2
}

/** Returns the standard deviation by the median absolute deviation; 0 without values. */
export function robustDeviation(values: ArrayLike<number>, centre = median(values)): number {
  return values.length === 0 ? 0 : 1.4826 * median(Float64Array.from(values, value => Math.abs(value - centre)))
}

/** Log density of a multivariate normal distribution. */

/**
 * Returns the log density of `x` under a normal distribution with mean 0 and this covariance (rows), up to the constant of
 * 2π. Both are overwritten.
 */
export function logDensity(x: number[], covariance: number[][]): number {
  let result = 0
  for (let column = 0; column < x.length; column++) {
    const row = covariance[column]!
    for (let inner = 0; inner < column; inner++) row[column]! -= row[inner]! ** 2
    const pivot = Math.sqrt(Math.max(1e-12, row[column]!))
    row[column] = pivot
    for (let below = column + 1; below < x.length; below++) {
      const other = covariance[below]!
      let sum = other[column]!
      for (let inner = 0; inner < column; inner++) sum -= other[inner]! * row[inner]!
      other[column] = sum / pivot
    }
    let value = x[column]!
    for (let inner = 0; inner < column; inner++) value -= row[inner]! * x[inner]!
    x[column] = value / pivot
    result -= 0.5 * x[column]! ** 2 + Math.log(pivot)
  }
  return result
}

/** Log density of a multivariate normal distribution. */

/**
 * Returns the log density of `x` under a normal distribution with mean 0 and this covariance (rows), without the constant
 * -n ÷ 2 · ln(2π), by Cholesky's decomposition. `x` and `covariance` are overwritten. A covariance that is nearly singular
 * counts as one with small variances.
 */
export function logDensity(x: number[], covariance: number[][]): number {
  let result = 0
  for (let column = 0; column < x.length; column++) {
    const row = covariance[column]!
    for (let inner = 0; inner < column; inner++) row[column]! -= row[inner]! ** 2
    const pivot = Math.sqrt(Math.max(1e-12, row[column]!))
    row[column] = pivot
    for (let index = column + 1; index < x.length; index++) {
      const lower = covariance[index]!
      let rest = lower[column]!
      for (let inner = 0; inner < column; inner++) rest -= lower[inner]! * row[inner]!
      lower[column] = rest / pivot
    }
    let value = x[column]!
    for (let inner = 0; inner < column; inner++) value -= row[inner]! * x[inner]!
    x[column] = value / pivot
    result -= 0.5 * x[column]! ** 2 + Math.log(pivot)
  }
  return result
}

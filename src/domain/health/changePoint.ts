/** When a change began, and whether it came at once or grew: one change point, by least absolute error. */
import { median } from './median.ts'

export interface ChangePoint {
  /** Days: 90 % of the beginnings lie between early and late. */
  readonly early: number
  readonly likely: number
  readonly late: number
  /** Log likelihood of a step minus that of a ramp. */
  readonly step: number
}

/** Points of a series: days, oldest first, and values. */
export interface Series {
  readonly days: readonly number[]
  readonly values: readonly number[]
}

/** Days before the end in which neither a step nor a ramp can begin. */
const shortest = 2
/** Neighbouring days wander alike: so many of them count as one. */
const repeated = 3
/** Loss of log likelihood at the ends of the interval. */
const drop = 1.35

/**
 * Returns the change point of a series. `level` is what the values were before anything began; without it, it is the median
 * of the values before.
 */
export function changePoint({ days, values }: Series, level?: number): ChangePoint | undefined {
  const last = days.at(-1)
  if (last === undefined || days.length < 6) return undefined
  const steps: number[] = []
  const ramps: number[] = []
  const candidates: number[] = []
  for (let from = level === undefined ? 3 : 1; from < days.length && days[from]! <= last - shortest; from++) {
    const past = level ?? median(values.slice(0, from))
    candidates.push(days[from]!)
    steps.push(stepError(values, from, past))
    ramps.push(rampError(days, values, from, past))
  }
  if (candidates.length === 0) return undefined
  const best = Math.min(...steps, ...ramps)
  const count = days.length / repeated
  // Laplace errors of unknown scale.
  const likelihood = (error: number) => -count * Math.log((error + 1e-6) / (best + 1e-6))
  const stepLikelihood = likelihood(Math.min(...steps))
  const rampLikelihood = likelihood(Math.min(...ramps))
  const errors = stepLikelihood >= rampLikelihood ? steps : ramps
  const top = Math.max(stepLikelihood, rampLikelihood)
  const within = candidates.filter((_, index) => likelihood(errors[index]!) >= top - drop)
  const likely = candidates[errors.indexOf(Math.min(...errors))]!
  return { early: within[0] ?? likely, likely, late: within.at(-1) ?? likely, step: stepLikelihood - rampLikelihood }
}

/** Returns the absolute error of a step before the value at `from`. */
function stepError(values: readonly number[], from: number, past: number): number {
  const now = median(values.slice(from))
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += Math.abs(values[index]! - (index < from ? past : now))
  return sum
}

/** Returns the absolute error of a ramp that begins with the value at `from`. */
function rampError(days: readonly number[], values: readonly number[], from: number, past: number): number {
  const start = days[from - 1]!
  let [product, square] = [0, 0]
  for (let index = from; index < values.length; index++) {
    const x = days[index]! - start
    product += x * (values[index]! - past)
    square += x * x
  }
  const slope = product / square
  let sum = 0
  for (let index = 0; index < values.length; index++)
    sum += Math.abs(values[index]! - past - (index < from ? 0 : slope * (days[index]! - start)))
  return sum
}

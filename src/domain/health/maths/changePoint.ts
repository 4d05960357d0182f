/**
 * When a change began, whether it came at once or grew, and how large it is by now: one change point in the series of a
 * channel, by generalised least squares, because the error of one day is nearly that of the next.
 */

/** Points of a series: days, oldest first, and values; and the variance of a value beside the wander. */
export interface Series {
  readonly days: readonly number[]
  readonly values: readonly number[]
}

/** What the values do from a day on: nothing before, 1 today. A curve grows with the square of the time. */
export interface Shape {
  readonly kind: 'step' | 'ramp' | 'curve'
  readonly from: number
  readonly today: number
}

export interface ChangePoint {
  /** Days: 90 % of the beginnings lie between early and late. */
  readonly early: number
  readonly likely: number
  readonly late: number
  /** Log likelihood of a step minus that of a ramp. */
  readonly step: number
  readonly shape: Shape
  /** The size of the shape. */
  readonly size: Size
}

/** The size of a shape in a series, and its variance. */
export interface Size {
  readonly value: number
  readonly variance: number
}

/** Days after which the wander of sensors hardly remembers itself, and the usual variance of a day's own scatter. */
const wanderDays = 14
const usualScatter = 0.01 ** 2

/** Series whose errors are taken apart: with `weigh` they become independent with a variance of 1. */
interface Whitened {
  readonly days: readonly number[]
  readonly weigh: (values: ArrayLike<number>) => Float64Array
}

/** Returns the series prepared for wander with this variance (Matérn 3/2, a process that is smooth from day to day). */
function whiten({ days }: Series, wander: number, scatter = usualScatter): Whitened {
  const n = days.length
  const lower = new Float64Array(n * n)
  for (let row = 0; row < n; row++)
    for (let column = 0; column <= row; column++) {
      const lag = (Math.sqrt(3) * (days[row]! - days[column]!)) / wanderDays
      let sum = wander * (1 + lag) * Math.exp(-lag) + (row === column ? scatter : 0)
      for (let inner = 0; inner < column; inner++) sum -= lower[row * n + inner]! * lower[column * n + inner]!
      lower[row * n + column] = row === column ? Math.sqrt(Math.max(1e-9, sum)) : sum / lower[column * n + column]!
    }
  const weigh = (values: ArrayLike<number>) => {
    const result = new Float64Array(n)
    // Leading zeros stay 0.
    let start = 0
    while (start < n && values[start] === 0) start++
    for (let row = start; row < n; row++) {
      let value = values[row]!
      for (let inner = start; inner < row; inner++) value -= lower[row * n + inner]! * result[inner]!
      result[row] = value / lower[row * n + row]!
    }
    return result
  }
  return { days, weigh }
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!
  return sum
}

/** Returns the values of a shape on days. */
function shapeOn({ kind, from, today }: Shape, days: readonly number[]): Float64Array {
  const values = new Float64Array(days.length)
  for (let index = days.length - 1; index >= 0 && days[index]! >= from; index--) {
    const share = (days[index]! - from + 1) / (today - from + 1)
    values[index] = kind === 'step' ? 1 : kind === 'ramp' ? share : share * share
  }
  return values
}

/** Returns the size of a shape over an unknown level, and by how much it lowers the sum of squares. */
function fitted(
  ones: Float64Array,
  values: Float64Array,
  shape: Float64Array,
  [oneOne, oneValue] = [dot(ones, ones), dot(ones, values)],
): Size & { readonly gain: number } {
  const oneShape = dot(ones, shape)
  const shapes = dot(shape, shape) - (oneShape * oneShape) / oneOne
  if (!(shapes > 1e-9)) return { value: 0, variance: Infinity, gain: 0 }
  const product = dot(shape, values) - (oneShape * oneValue) / oneOne
  return { value: product / shapes, variance: 1 / shapes, gain: (product * product) / shapes }
}

/** Returns the size of a shape in a series whose sensors wander with this variance. */
export function sizeOf(series: Series, shape: Shape, wander: number): Size {
  const { days, weigh } = whiten(series, wander)
  const { value, variance } = fitted(weigh(days.map(() => 1)), weigh(series.values), weigh(shapeOn(shape, days)))
  return { value, variance }
}

/** The minimum number of days with data for a change point, and the minimum age of one in days. */
const minDaysWithData = 6
const minAge = 1
/** Points of the series that lie before a beginning, unless it may go on since the first. */
const pointsBefore = 2
/** Share of the probability that the interval leaves out on each side. */
const tail = 0.05
/** Exponent of the likelihoods in the interval: the errors are less regular than they are taken for (docs/health.md). */
const likelihoodExponent = 0.75

/** The candidates: first days from `earliest` to `latest` (or yesterday), every `stride` days, of these kinds. */
export interface Search {
  readonly earliest: number
  readonly latest?: number
  readonly today: number
  readonly stride: number
  readonly kinds: readonly Shape['kind'][]
  /** Whether it may go on since the first point of the series: that is then as likely as all later beginnings together. */
  readonly sinceFirst?: boolean
  /** Variance of a day's own scatter, if that is not the usual one. */
  readonly scatter?: number | undefined
}

/** Returns the change point of a series whose sensors wander with this variance; undefined if it is too short. */
export function changePoint(series: Series, wander: number, search: Search): ChangePoint | undefined {
  const { earliest, today, stride, kinds, scatter, sinceFirst = false } = search
  const latest = Math.min(search.latest ?? today, today - minAge)
  if (series.days.length < minDaysWithData) return undefined
  const { days, weigh } = whiten(series, wander, scatter)
  const ones = weigh(days.map(() => 1))
  const values = weigh(series.values)
  const known: [number, number] = [dot(ones, ones), dot(ones, values)]
  const tried: { shape: Shape; size: Size; log: number }[] = []
  const first = Math.max(earliest, days[sinceFirst ? 0 : pointsBefore]!)
  const beginnings = Math.max(1, Math.ceil((latest - first + 1) / stride))
  for (let from = first; from <= latest; from += stride)
    for (const kind of kinds) {
      const shape = { kind, from, today }
      const prior = sinceFirst && from === first ? Math.log(beginnings) : 0
      const { gain, ...size } = fitted(ones, values, weigh(shapeOn(shape, days)), known)
      tried.push({ shape, size, log: prior + gain / 2 })
    }
  if (tried.length === 0) return undefined
  const top = Math.max(...tried.map(({ log }) => log))
  const total = (kind: Shape['kind']) =>
    tried.reduce((sum, { shape, log }) => (shape.kind === kind ? sum + Math.exp(log - top) : sum), 0)
  const totals = { step: total('step'), ramp: total('ramp'), curve: total('curve') }
  const kind = kinds.reduce((one, other) => (totals[other] > totals[one] ? other : one))
  const weights = tried.filter(({ shape }) => shape.kind === kind)
  const best = weights.reduce((one, other) => (other.log > one.log ? other : one))
  const quantile = (share: number, exponent: number) => {
    const masses = weights.map(({ log }) => Math.exp(exponent * (log - best.log)))
    let left = share * masses.reduce((sum, mass) => sum + mass, 0)
    const at = masses.findIndex(mass => (left -= mass) <= 0)
    return weights.at(at)!.shape.from
  }
  // Between two beginnings that are tried, all are as likely.
  const between = stride / 2
  return {
    early: Math.floor(quantile(tail, likelihoodExponent) - between),
    likely: quantile(0.5, 1),
    late: Math.min(today, Math.ceil(quantile(1 - tail, likelihoodExponent) + between)),
    step: Math.log(totals.step + 1e-9) - Math.log(totals.ramp + 1e-9),
    shape: best.shape,
    size: best.size,
  }
}

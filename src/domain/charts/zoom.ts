/** The visible range of the charts' time axis. Positions are milliseconds along the axis. */

export interface AxisRange {
  readonly from: number
  readonly to: number
}

export interface Axis {
  /** The starts of the buckets, in order of time; at least one. */
  readonly xs: readonly number[]
  /** The end of the last bucket. */
  readonly end: number
}

/** The smallest visible range in buckets: fewer make no line. */
const minBuckets = 2

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/**
 * Returns a visible range after the axis has changed: the same range, moved onto the axis where that has moved on;
 * undefined if nothing of it is left, or it does not fit.
 */
export function keptOnAxis({ xs: [first], end }: Axis, { from, to }: AxisRange): AxisRange | undefined {
  if (first === undefined || to <= first || from >= end || to - from > end - first) return undefined
  const start = clamp(from, first, end - (to - from))
  return { from: start, to: start + to - from }
}
const bucketLength = ({ xs, end }: Axis) => (end - xs[0]!) / xs.length

/** Returns a range of `length` within the axis, with `share` of it before `center`; undefined is the whole axis. */
function rangeAround(axis: Axis, center: number, share: number, length: number): AxisRange | undefined {
  const [first, { end }] = [axis.xs[0]!, axis]
  const visibleLength = Math.max(length, minBuckets * bucketLength(axis))
  if (visibleLength >= end - first) return undefined
  const from = clamp(center - share * visibleLength, first, end - visibleLength)
  return { from, to: from + visibleLength }
}

/** Returns the visible range after zooming by a factor around a position; undefined is the whole axis. */
export function zoomAround(axis: Axis, { from, to }: AxisRange, center: number, factor: number): AxisRange | undefined {
  return rangeAround(axis, center, (center - from) / (to - from), (to - from) * factor)
}

/**
 * Returns the visible range after zooming to the range between two positions, in either order, limited to the `shown`
 * range. A range shorter than a bucket changes nothing. Undefined is the whole axis.
 */
export function zoomToRange(axis: Axis, shown: AxisRange, one: number, other: number): AxisRange | undefined {
  const [from, to] = [one, other].map(x => clamp(x, shown.from, shown.to)).sort((a, b) => a - b) as [number, number]
  if (to - from < Math.min(bucketLength(axis), shown.to - shown.from)) return rangeOrAll(axis, shown)
  return rangeAround(axis, (from + to) / 2, 0.5, to - from)
}

const rangeOrAll = ({ xs, end }: Axis, { from, to }: AxisRange): AxisRange | undefined =>
  from <= xs[0]! && to >= end ? undefined : { from, to }

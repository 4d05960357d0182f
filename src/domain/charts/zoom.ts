/** Which stretch of the time axis is shown. Positions are those of the axis, milliseconds. */

export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface Axis {
  /** Where buckets begin, in order of time; at least one. */
  readonly xs: readonly number[]
  /** Where the last one ends. */
  readonly end: number
}

/** Buckets: of fewer there is no line. */
const fewest = 2

/** Whether all of a stretch is on the axis. */
export const liesOn = ({ xs, end }: Axis, { from, to }: Stretch): boolean =>
  xs[0] !== undefined && from >= xs[0] && to <= end

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
const lengthOf = ({ xs, end }: Axis) => (end - xs[0]!) / xs.length

/** A stretch as long as asked for but for the limits of the axis, with `share` of it before `about`; undefined is all. */
function stretchAbout(axis: Axis, about: number, share: number, length: number): Stretch | undefined {
  const [first, { end }] = [axis.xs[0]!, axis]
  const long = Math.max(length, fewest * lengthOf(axis))
  if (long >= end - first) return undefined
  const from = within(about - share * long, first, end - long)
  return { from, to: from + long }
}

/** What is shown after zooming by a factor about a position, from what was shown; undefined is all. */
export function zoomed(axis: Axis, { from, to }: Stretch, about: number, factor: number): Stretch | undefined {
  return stretchAbout(axis, about, (about - from) / (to - from), (to - from) * factor)
}

/**
 * What is shown once a stretch has been marked, its ends in whichever order, also beside what was shown. Less than a
 * bucket changes nothing.
 */
export function zoomedTo(axis: Axis, shown: Stretch, one: number, other: number): Stretch | undefined {
  const [from, to] = [one, other].map(x => within(x, shown.from, shown.to)).sort((a, b) => a - b) as [number, number]
  if (to - from < Math.min(lengthOf(axis), shown.to - shown.from)) return shownOr(axis, shown)
  return stretchAbout(axis, (from + to) / 2, 0.5, to - from)
}

const shownOr = ({ xs, end }: Axis, { from, to }: Stretch): Stretch | undefined =>
  from <= xs[0]! && to >= end ? undefined : { from, to }

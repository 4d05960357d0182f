/** The level of a channel before a suspected change, against which the present is compared. */
import { residualScale, weeksOf } from './channelState.ts'
import { wanderCovariance, type Noise } from './instruments.ts'
import type { Channel } from './types/channels.ts'
import type { ChannelState } from './types/state.ts'

/** An expected residual and its variance. */
export interface Reference {
  readonly value: number
  readonly variance: number
}

/** Weeks that the baseline counts for. */
const baselineWeeks = 2
/** Sensors wander over about this many days, so weeks close together say little more than one of them. */
const wanderDays = 10
const repeated = (2 * wanderDays) / 7

/**
 * Returns what the residual on `day` would be if nothing had begun from the day `before` on: the trend of the baseline and
 * of the weeks before, its slope shrunk to 0 (ageing is already taken out). `wandering` is the variance of the channel
 * through its sensors, `spread` the standard deviation of ageing between devices in a year.
 */
export function referenceAt(
  channel: ChannelState,
  before: number,
  day: number,
  { wandering, spread }: { readonly wandering: number; readonly spread: number },
): Reference {
  const { medians, since } = channel
  const weeks = weeksOf(channel)
  const noise = wandering * repeated + 0.005 ** 2
  // Least squares of level and slope around `since`, with a prior for the slope.
  let [w, wx, wxx, wy, wxy] = [baselineWeeks / noise, 0, (365.25 / spread) ** 2, 0, 0]
  for (let index = 0; index < weeks.length; index++) {
    const middle = weeks[index]! * 7 + 3
    if (middle + 3 >= before) break
    const x = middle - since
    const y = medians[index]! / residualScale
    w += 1 / noise
    wx += x / noise
    wxx += (x * x) / noise
    wy += y / noise
    wxy += (x * y) / noise
  }
  const determinant = w * wxx - wx * wx
  const level = (wxx * wy - wx * wxy) / determinant
  const slope = (w * wxy - wx * wy) / determinant
  const x = day - since
  return { value: level + slope * x, variance: (wxx - 2 * x * wx + x * x * w) / determinant }
}

/**
 * Returns the variance of a channel's change against its baseline, as ln, through sensors that have wandered since, and while
 * the baseline was learned. As in the errors of evidence (`changeSince`), to which the scatter of the present values is added.
 */
export function wanderVariance(channel: Channel, known: ChannelState, { gains, spread }: Noise): number {
  const wandering = wanderCovariance(gains, channel, channel)
  return wandering + referenceAt(known, known.since, known.since, { wandering, spread }).variance
}

/** The two statistical tests of a channel: whether it has moved slowly, and whether it has stepped. */
import { daysOf, residualScale } from './channelState.ts'
import { wanderCovariance, type Noise } from './instruments.ts'
import { median, robustDeviation } from './maths/median.ts'
import { referenceAt } from './reference.ts'
import { leniency, slowErrors, slowReachOf, slowSize, stepErrors, stepSize } from './thresholds.ts'
import type { Channel } from './types/channels.ts'
import type { ChannelState } from './types/state.ts'

/** A change and its standard error, as ln. */
export interface Change {
  readonly value: number
  readonly error: number
}

/** Returns the change of a channel on `day` against its trend until `before`. */
export function changeSince(
  channel: Channel,
  state: ChannelState,
  before: number,
  day: number,
  { gains, spread }: Noise,
): Change {
  const wandering = wanderCovariance(gains, channel, channel)
  const reference = referenceAt(state, before, day, { wandering, spread })
  return {
    value: state.level - reference.value,
    error: Math.sqrt(state.covariance[0] + wandering + reference.variance),
  }
}

/** Returns the size of a slow change in multiples of its threshold: 1 and more are over it. */
export function slowTest(channel: Channel, state: ChannelState, day: number, noise: Noise): number {
  // Most channels on most days are far from it.
  if (Math.abs(state.level) < slowSize[channel] / 2 && state.medians.length < 8) return 0
  const { value, error } = changeSince(channel, state, day - slowReachOf(channel), day, noise)
  const size = Math.abs(value) / leniency(channel, value)
  return Math.min(size / slowSize[channel], size / (slowErrors[channel] * error))
}

/** Days with data whose median is compared with that of the days just before them: wander moves little in between. */
const after = 4
const before = 7
/** Sensors wander like smooth noise that says nothing of itself after about this many days. */
const wanderDays = 19

/** Returns the step of the last days, as ln, and its size in multiples of its threshold; 0 without enough days. */
export function stepTest(
  channel: Channel,
  state: ChannelState,
  { gains }: Noise,
): { readonly value: number; readonly size: number } {
  const { values } = state
  const end = values.length
  if (end < after + before) return { value: 0, size: 0 }
  const now = median(values.slice(end - after))
  const past = values.slice(end - after - before, end - after)
  const middle = median(past)
  const value = (now - middle) / residualScale
  if (Math.abs(value) < stepSize[channel]) return { value, size: 0 }
  const scatter = Math.max(0.01, robustDeviation(past, middle) / residualScale)
  const days = daysOf(state)
  // From the middle of the days before to the middle of the last ones.
  const lag = (days[end - 1]! + days[end - after]! - days[end - after - 1]! - days[end - after - before]!) / 2
  const wandering = 2 * (1 - Math.exp(-((lag / wanderDays) ** 2))) * wanderCovariance(gains, channel, channel)
  const error = Math.sqrt(scatter ** 2 * 1.57 * (1 / after + 1 / before) + wandering)
  const size = Math.abs(value) / leniency(channel, value)
  return { value, size: Math.min(size / stepSize[channel], size / (stepErrors * error)) }
}

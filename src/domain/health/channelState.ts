/** One channel of a device from day to day: its baseline, its history, and its trend. */
import { median } from './maths/median.ts'
import { channels, type Channel } from './types/channels.ts'
import type { ChannelState, HealthState } from './types/state.ts'

/** Days with data after which a channel has a baseline, and after which that no longer changes. */
export const learnDays = 8
export const finalDays = 20
/** Number of days whose residuals are kept, and of weeks whose medians are kept. */
const keptDays = 28
const keptWeeks = 26

/** `values` and `medians` of a channel are residuals times this, as integers. */
export const residualScale = 1000

export const newChannel = (): ChannelState => ({
  learning: [],
  baseline: null,
  since: 0,
  day: 0,
  level: 0,
  slope: 0,
  covariance: [0, 0, 0],
  raw: [],
  gaps: [],
  values: [],
  week: 0,
  week_gaps: [],
  medians: [],
  slow: 0,
  step: 0,
})

/** Returns whether a device is known to fill a tank. */
export const hasTank = ({ channels: { tank } }: Pick<HealthState, 'channels'>): boolean =>
  tank !== undefined && tank.baseline !== null

/** Days without data of a channel, while others have some, after which its level is not known any more. */
export const knownDays = 30

/**
 * Returns a channel if it has a baseline, and data in the last 30 days until the newest one of any channel: of a device that
 * nobody uses nothing is newer.
 */
export function knownChannel(
  { channels: all }: Pick<HealthState, 'channels'>,
  channel: Channel,
): ChannelState | undefined {
  const known = all[channel]
  if (known === undefined || known.baseline === null) return undefined
  for (const other of channels) if ((all[other]?.day ?? 0) - known.day > knownDays) return undefined
  return known
}

/** The channels from which the salt passage of a membrane can be computed, best first: settled readings and short draws. */
export const saltChannels = ['b', 'brief'] as const

/**
 * Returns the channel of a membrane's salt passage: that of settled readings or, where there are none, as where people
 * only draw glasses, that of short draws, which has a baseline of its own. Undefined if neither is known.
 */
export const saltChannel = (state: Pick<HealthState, 'channels'>): (typeof saltChannels)[number] | undefined =>
  saltChannels.find(channel => knownChannel(state, channel))

/** Returns whether a channel has a baseline. */
export const wasLearned = (state: Pick<HealthState, 'channels'>, channel: Channel): boolean =>
  (state.channels[channel]?.baseline ?? null) !== null

/** Returns the channels that have a baseline, but whose level is not known any more. */
export const staleChannels = (state: Pick<HealthState, 'channels'>): Channel[] =>
  channels.filter(channel => wasLearned(state, channel) && !knownChannel(state, channel))

/** The mean of a channel's readings on a day, and what it takes to compare it with the baseline. */
export interface DayValue {
  readonly day: number
  /** The mean of the day, as ln, corrected to standard conditions with the coefficients of the membrane's type. */
  readonly value: number
  /** The same mean without that correction. */
  readonly raw: number
  /** The part of value minus baseline that is no fault: expected ageing, and what the neighbours show, too. */
  readonly expected: number
  /** The variance of the mean that comes from the scatter of the day's readings. */
  readonly variance: number
}

/** Adds a day with data. Days that are not newer than the newest one are ignored. */
export function addDay(channel: ChannelState, { day, value, raw, expected, variance }: DayValue): void {
  if (day <= channel.day) return
  channel.raw.push(rounded(raw, 1e4))
  if (channel.raw.length > 3) channel.raw.shift()
  if (channel.learning !== undefined) learn(channel, day, value)
  if (channel.baseline === null) {
    channel.day = day
    return
  }
  const residual = value - channel.baseline - expected
  keepResidual(channel, day, residual)
  updateTrend(channel, day, residual, variance)
  channel.day = day
}

/** Adds a value to those whose median is the baseline. What is kept relative to the baseline is corrected by its change. */
function learn(channel: ChannelState, day: number, value: number): void {
  const learning = channel.learning!
  learning.push(rounded(value, 1e4))
  if (learning.length < learnDays) return
  const baseline = rounded(median(learning), 1e4)
  if (channel.baseline === null) {
    channel.since = day
    channel.covariance = [initialVariance.level, 0, initialVariance.slope]
    channel.baseline = baseline
    channel.day = day - 1
  } else {
    const shift = channel.baseline - baseline
    channel.baseline = baseline
    channel.level += shift
    for (const list of [channel.values, channel.medians])
      for (let index = 0; index < list.length; index++) list[index]! += Math.round(shift * residualScale)
  }
  if (learning.length >= finalDays) delete channel.learning
}

const weekOf = (day: number) => Math.floor(day / 7)

/** Returns numbers in ascending order from the newest one and the gap before each of them. */
function fromGaps(newest: number, gaps: readonly number[]): number[] {
  const numbers = gaps.map(() => 0)
  let number = newest
  for (let index = gaps.length - 1; index >= 0; index--) {
    numbers[index] = number
    number -= gaps[index]!
  }
  return numbers
}

/** Returns the days of the kept residuals, oldest first. */
export const daysOf = ({ day, gaps }: ChannelState): number[] => fromGaps(day, gaps)
/** Returns the numbers of the kept weeks (day ÷ 7), oldest first. */
export const weeksOf = ({ week, week_gaps: gaps }: ChannelState): number[] => fromGaps(week, gaps)

/** Keeps the residual of a day. If the day begins a new week, keeps the median of the newest week before it, too. */
function keepResidual(channel: ChannelState, day: number, residual: number): void {
  const { gaps, values, medians, week_gaps } = channel
  const last = channel.day
  if (gaps.length > 0 && weekOf(last) !== weekOf(day)) {
    const from = daysOf(channel).findIndex(other => weekOf(other) === weekOf(last))
    week_gaps.push(medians.length === 0 ? 0 : weekOf(last) - channel.week)
    medians.push(Math.round(median(values.slice(from))))
    channel.week = weekOf(last)
    if (medians.length > keptWeeks) dropOldest(week_gaps, medians)
  }
  gaps.push(gaps.length === 0 ? 0 : day - last)
  values.push(Math.round(residual * residualScale))
  if (gaps.length > keptDays) dropOldest(gaps, values)
}

/** Removes the oldest of the kept values; the gap before the next one has no meaning any more. */
function dropOldest(gaps: number[], values: number[]): void {
  gaps.shift()
  values.shift()
  gaps[0] = 0
}

/** Rounds a value to a fraction: with `scale` 1e4 to four decimals. The state stays small by it. */
const rounded = (value: number, scale: number) => Math.round(value * scale) / scale

/** How uncertain the level and the slope are when the filter starts. */
const initialVariance = { level: 0.02 ** 2, slope: 0.001 ** 2 }
/** How much more uncertain a day makes them: sensors wander (level), and something may begin to go wrong (slope). */
const addedVariance = { level: 0.004 ** 2, slope: 0.0007 ** 2 }
/** The share of the slope that is left after a day, so that a trend ends which no further residuals show. */
const slopeKept = 0.98
/** The variance of a day's mean that is there however many readings it is of. */
const dayVariance = 0.008 ** 2
/** A residual that is more standard deviations than this from the predicted level is taken as one at this distance. */
const maxDeviations = 2.5
/** Days: a longer gap without data is taken as one of this length. */
const maxGap = 30

/**
 * Updates level, slope and their covariance by the residual of a day: a Kalman filter of a local linear trend, made robust by
 * `maxDeviations`. In the covariance, `p` is the variance of the level, `r` that of the slope, and `q` the covariance of both.
 */
function updateTrend(channel: ChannelState, day: number, residual: number, variance: number): void {
  const gap = Math.min(maxGap, day - channel.day)
  const fade = slopeKept ** gap
  let [p, q, r] = channel.covariance
  // Predict.
  const level = channel.level + channel.slope * gap
  const slope = channel.slope * fade
  p += 2 * gap * q + gap * gap * r + addedVariance.level * gap
  q = (q + gap * r) * fade
  r = r * fade * fade + addedVariance.slope * gap
  // Correct.
  const residualVariance = p + variance + dayVariance
  const limit = maxDeviations * Math.sqrt(residualVariance)
  const innovation = Math.max(-limit, Math.min(limit, residual - level))
  channel.level = rounded(level + (p / residualVariance) * innovation, 1e5)
  channel.slope = rounded(slope + (q / residualVariance) * innovation, 1e6)
  channel.covariance = [
    rounded(p - (p * p) / residualVariance, 1e8),
    rounded(q - (p * q) / residualVariance, 1e9),
    rounded(r - (q * q) / residualVariance, 1e10),
  ]
}

/** Starts the trend anew at a level. For steps, which the filter alone would follow only in weeks. */
export function restartTrend(channel: ChannelState, level: number): void {
  channel.level = level
  channel.slope = 0
  channel.covariance = [initialVariance.level, 0, initialVariance.slope]
}

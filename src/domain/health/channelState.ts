/** One channel of a device from day to day: its baseline, its history, and its trend. */
import { median } from './maths/median.ts'
import type { ChannelState, HealthState } from './types/state.ts'

/** Days with data until there is a baseline, and until it is final. */
export const learnDays = 8
const finalDays = 20
/** Residuals kept by day, and medians kept by week. */
const keptDays = 28
const keptWeeks = 26

/** The history is in thousandths. */
export const unit = 1000

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

/** A day's value of a channel. */
export interface DayValue {
  readonly day: number
  /** Mean of the day, as ln, and the same before it was corrected with the type's coefficients. */
  readonly value: number
  readonly raw: number
  /** What of its distance to the baseline is expected (ageing) or shared with the neighbours. */
  readonly expected: number
  /** Variance of the mean through what differs from reading to reading. */
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
  remember(channel, day, residual)
  filter(channel, day, residual, variance)
  channel.day = day
}

/** Takes a value into the baseline. While that moves, the history moves with it. */
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
    const move = channel.baseline - baseline
    channel.baseline = baseline
    channel.level += move
    for (const list of [channel.values, channel.medians])
      for (let index = 0; index < list.length; index++) list[index]! += Math.round(move * unit)
  }
  if (learning.length >= finalDays) delete channel.learning
}

const weekOf = (day: number) => Math.floor(day / 7)

/** Returns numbers from the newest one and the gaps between them. */
function unpacked(newest: number, gaps: readonly number[]): number[] {
  const numbers = gaps.map(() => 0)
  let number = newest
  for (let index = gaps.length - 1; index >= 0; index--) {
    numbers[index] = number
    number -= gaps[index]!
  }
  return numbers
}

/** Returns the days of the kept residuals, and the numbers of the kept weeks, oldest first. */
export const daysOf = ({ day, gaps }: ChannelState): number[] => unpacked(day, gaps)
export const weeksOf = ({ week, week_gaps: gaps }: ChannelState): number[] => unpacked(week, gaps)

/** Keeps a residual, and the median of the week before when a new week begins. */
function remember(channel: ChannelState, day: number, residual: number): void {
  const { gaps, values, medians, week_gaps } = channel
  const last = channel.day
  if (gaps.length > 0 && weekOf(last) !== weekOf(day)) {
    const from = daysOf(channel).findIndex(other => weekOf(other) === weekOf(last))
    week_gaps.push(medians.length === 0 ? 0 : weekOf(last) - channel.week)
    medians.push(Math.round(median(values.slice(from))))
    channel.week = weekOf(last)
    if (medians.length > keptWeeks) drop(week_gaps, medians)
  }
  gaps.push(gaps.length === 0 ? 0 : day - last)
  values.push(Math.round(residual * unit))
  if (gaps.length > keptDays) drop(gaps, values)
}

/** Removes the oldest entry. */
function drop(gaps: number[], values: number[]): void {
  gaps.shift()
  values.shift()
  gaps[0] = 0
}

/** Returns the value in parts of one, so that it stays short as JSON. */
const rounded = (value: number, parts: number) => Math.round(value * parts) / parts

const initialVariance = { level: 0.02 ** 2, slope: 0.001 ** 2 }
/** Growth of the variances in a day: of the level (wander of sensors) and of the slope (what begins to go wrong). */
const process = { level: 0.004 ** 2, slope: 0.0007 ** 2 }
/** A slope that nothing confirms fades, per day. */
const slopeMemory = 0.98
/** Scatter from day to day that more readings do not reduce. */
const dayVariance = 0.008 ** 2
/** An innovation beyond this many standard deviations counts as that many. */
const clip = 2.5
/** A gap beyond these days counts as this long. */
const longestGap = 30

/** Kalman filter of a local linear trend. */
function filter(channel: ChannelState, day: number, residual: number, variance: number): void {
  const gap = Math.min(longestGap, day - channel.day)
  const fade = slopeMemory ** gap
  let [p, q, r] = channel.covariance
  // Predict.
  const level = channel.level + channel.slope * gap
  const slope = channel.slope * fade
  p += 2 * gap * q + gap * gap * r + process.level * gap
  q = (q + gap * r) * fade
  r = r * fade * fade + process.slope * gap
  // Correct.
  const total = p + variance + dayVariance
  const limit = clip * Math.sqrt(total)
  const innovation = Math.max(-limit, Math.min(limit, residual - level))
  channel.level = rounded(level + (p / total) * innovation, 1e5)
  channel.slope = rounded(slope + (q / total) * innovation, 1e6)
  channel.covariance = [
    rounded(p - (p * p) / total, 1e8),
    rounded(q - (p * q) / total, 1e9),
    rounded(r - (q * q) / total, 1e10),
  ]
}

/** Lets the trend start anew at a level, after a step that the filter would take weeks to follow. */
export function restartTrend(channel: ChannelState, level: number): void {
  channel.level = level
  channel.slope = 0
  channel.covariance = [initialVariance.level, 0, initialVariance.slope]
}

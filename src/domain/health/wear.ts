/** How fast a channel wears, and when it will reach a limit. */
import { changePoint, type Search } from './maths/changePoint.ts'
import { historyOf } from './series.ts'
import { clogged } from './thresholds.ts'
import type { ChannelState, HealthState } from './types/state.ts'

/** The wear of a channel. */
export interface Trend {
  /** Change since new with ageing, as ln. */
  readonly level: number
  /** Change a day as a share of what it was when new, on average since it began. */
  readonly rate: number
  /** Days in which it has grown with the square of the time; absent if it grows evenly. */
  readonly accelerating?: number | undefined
  /** Probability that the channel itself shows a change beside ageing, 0–1. */
  readonly shown: number
}

/** How something may wear, and whether from its first day on. */
export type Course = Pick<Search, 'kinds' | 'sinceFirst'>

/** Below this change, as ln, and this multiple of the sensors' wander, nothing shows beside ageing, and the type's ageing goes on. */
const minChange = 0.05
const noticeable = 2
/** Days between two beginnings that are tried. */
const stride = 7
/** Log odds, before any data, that what looks like a decline is wander: several beginnings were tried. */
const doubt = 4.5
/** Days that ageing is averaged over where a device's own slope counts, and how much slopes differ in a day. */
const spread = 0.002

/**
 * Returns the trend of a channel on a day: its own from the day on which something has begun, and its type's before. `wander`
 * is the variance of the channel through its sensors, `ageing` the type's change of ln in a day.
 */
export function trendOf(
  channel: ChannelState,
  day: number,
  { wander, ageing, course }: { wander: number; ageing: number; course: Course },
): Trend {
  const aged = ageing * (channel.day - channel.since)
  const level = channel.level + aged
  const plain = { level, rate: ageing * Math.exp(level), shown: 0 }
  if (Math.abs(channel.level) < Math.max(minChange, noticeable * Math.sqrt(wander))) return plain
  const series = historyOf(channel, channel.since, stride)
  const began = changePoint(series, wander, { earliest: channel.since, today: day, stride, ...course })
  if (began === undefined) return plain
  const { from, kind } = began.shape
  const { value, variance } = began.size
  const days = day - from + 1
  const slope = value / days
  const real = 1 / (1 + Math.exp(doubt - (value * value) / variance / 2))
  const weight = (real * spread ** 2) / (spread ** 2 + variance / days ** 2)
  // What is lost grows evenly as a share, not as a logarithm.
  const before = channel.level - value
  return {
    level,
    rate: (Math.exp(before + weight * slope * days) - Math.exp(before)) / days + ageing * Math.exp(level),
    shown: real,
    accelerating: kind === 'curve' ? days : undefined,
  }
}

/** Returns the days until the trend reaches a limit, as ln; 0 if it has, Infinity if it moves away. */
export function daysTo({ level, rate, accelerating }: Trend, limit: number): number {
  if (limit < 0 ? level <= limit : level >= limit) return 0
  const left = Math.exp(limit) - Math.exp(level)
  if (left * rate <= 0) return Infinity
  if (accelerating === undefined) return left / rate
  return accelerating * (Math.sqrt(1 + left / (rate * accelerating)) - 1)
}

/**
 * Returns the day on which a channel that is beyond a limit, as ln, has reached it: that from which on its kept days are
 * beyond it by the largest sum, so that single days that are far off do not move it. If all kept days are beyond the limit,
 * it is the first of them. `ageing`: as for `trendOf`.
 */
export function reachedOn(channel: ChannelState, limit: number, ageing: number): number {
  const { days, values } = historyOf(channel, channel.since, 1)
  const weeks = days.length - channel.values.length
  const beyond = values.map((value, at) => Math.sign(limit) * (value + ageing * (days[at]! - channel.since) - limit))
  let [from, sum, largest] = [days.length, 0, 0]
  for (let at = days.length - 1; at >= 0; at--) {
    sum += beyond[at]! * (at < weeks ? 7 : 1)
    if (sum > largest) [from, largest] = [at, sum]
  }
  if (from === days.length) return channel.day
  const [day, before] = [days[from]!, days[from - 1]]
  if (before === undefined) return day
  const [over, under] = [beyond[from]!, -beyond[from - 1]!]
  return Math.ceil(day - ((day - before) * over) / (over + under))
}

/** Returns whether the pressure has fallen by as much as before a pre-filter that is used up. */
export const isClogged = ({ channels: { h } }: Pick<HealthState, 'channels'>): boolean =>
  h !== undefined && h.baseline !== null && h.level <= clogged

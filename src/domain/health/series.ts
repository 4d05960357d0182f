/** The series of a channel around a finding, and the beginning that it shows. */
import { changePoint, type ChangePoint, type Series } from './maths/changePoint.ts'
import { daysOf, unit, weeksOf } from './channelState.ts'
import { wanderCovariance, type Noise } from './instruments.ts'
import type { Channel } from './types/channels.ts'
import type { ChannelState, HealthState, OpenFinding } from './types/state.ts'

/** Days before `OpenFinding.before` from which the series is taken, and from which the beginning is searched for. */
const seriesLead = 70
const searchLead = 21
/** Days between two beginnings that are tried. */
const searchStride = 2

/** Variance of the mean of two days of a tank's air, as ln: larger than usual, because a few runs a day measure it. */
const tankVariance = 0.08 ** 2

/**
 * Returns when a finding began by the series of one channel; if the series is too short, between its reference and its
 * detection.
 */
export function beginning(state: HealthState, channel: Channel, open: OpenFinding, noise: Noise): ChangePoint {
  const wander = wanderCovariance(noise.gains, channel, channel)
  const { before, day } = open
  const found = changePoint(seriesOf(state, channel, open), wander, {
    earliest: before - searchLead,
    today: state.day,
    stride: searchStride,
    kinds: channel === 'tank' ? ['ramp'] : ['step', 'ramp'],
    scatter: channel === 'tank' ? tankVariance : undefined,
  })
  const shape = { kind: 'ramp', from: before, today: state.day } as const
  return found ?? { early: before, likely: day, late: day, step: 0, shape }
}

/** Number of days that one point of a finding's series averages. */
const findingDaysPerPoint = 2

/** Returns the residuals of a channel around a finding. */
export const seriesOf = (state: HealthState, channel: Channel, open: OpenFinding): Series =>
  historyOf(state.channels[channel]!, open.before - seriesLead, findingDaysPerPoint)

/** Returns the residuals that a channel keeps: weeks from a day on, and all kept days in groups of `daysPerPoint`. */
export function historyOf(channel: ChannelState, from: number, daysPerPoint: number): Series {
  const { medians, values } = channel
  const days = daysOf(channel)
  const weekly = weeksOf(channel).map((week, at): Point => [week * 7 + 3, medians[at]! / unit])
  const first = days[0] ?? Infinity
  return seriesFrom(
    weekly.filter(([day]) => day >= from && day + 3 < first),
    days.map((day, at) => [day, values[at]! / unit]),
    daysPerPoint,
  )
}

type Point = readonly [day: number, value: number]

/** Returns a series of weeks and of groups of days, formed from the newest back, so that only the oldest may be incomplete. */
function seriesFrom(weekly: readonly Point[], daily: readonly Point[], daysPerPoint: number): Series {
  const points: Point[] = []
  for (let end = daily.length; end > 0; end -= daysPerPoint) {
    const group = daily.slice(Math.max(0, end - daysPerPoint), end)
    points.push([mean(group.map(([day]) => day)), mean(group.map(([, value]) => value))])
  }
  const all = [...weekly, ...points.toReversed()]
  return { days: all.map(([day]) => day), values: all.map(([, value]) => value) }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

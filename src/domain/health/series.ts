/** The series of a channel around a finding, and the beginning that it shows. */
import { changePoint, type Series, type Shape } from './maths/changePoint.ts'
import { daysOf, residualScale, weeksOf } from './channelState.ts'
import { wanderCovariance, type Noise } from './instruments.ts'
import type { Channel } from './types/channels.ts'
import type { Beginning, ChannelState, HealthState, OpenFinding } from './types/state.ts'

/** Days before `OpenFinding.before` from which the series is taken, and from which the beginning is searched for. */
const seriesLead = 70
const searchLead = 21
/** Days between two beginnings that are tried. */
const searchStride = 2

/** Variance of the mean of two days of a tank's air, as ln: larger than usual, because a few runs a day measure it. */
const tankVariance = 0.08 ** 2

/**
 * Returns when a finding began: as it is kept, or by the series of one channel, at the latest when it was detected, because
 * what the channel does later is not its beginning. If the series is too short, it began between its reference and its
 * detection. The shape is what the series shows from then on; absent if the series does not show it.
 */
export function beginning(
  state: HealthState,
  channel: Channel,
  open: OpenFinding,
  noise: Noise,
): Beginning & { readonly shape?: Shape } {
  if (open.began) return open.began
  const { before, day } = open
  const found = changePoint(seriesOf(state, channel, open), wanderCovariance(noise.gains, channel, channel), {
    earliest: before - searchLead,
    latest: day,
    today: state.day,
    stride: searchStride,
    kinds: channel === 'tank' ? ['ramp'] : ['step', 'ramp'],
    scatter: channel === 'tank' ? tankVariance : undefined,
  })
  return found ? { ...found, late: Math.min(found.late, day) } : { early: before, likely: day, late: day, step: 0 }
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
  const weekly = weeksOf(channel).map((week, at): Point => [week * 7 + 3, medians[at]! / residualScale])
  const first = days[0] ?? Infinity
  return seriesFrom(
    weekly.filter(([day]) => day >= from && day + 3 < first),
    days.map((day, at) => [day, values[at]! / residualScale]),
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

/** The series of a channel around a finding, and when the finding began by it. */
import { changePoint, type ChangePoint, type Series } from './changePoint.ts'
import { unit } from './channelState.ts'
import { wanderCovariance } from './instruments.ts'
import type { Noise } from './tests.ts'
import type { Channel, ChannelState, HealthContext, HealthState, OpenFinding } from './types.ts'

/** Days before the finding's reference from which its series is taken, and from which its beginning is searched for. */
const seriesLead = 70
const searchLead = 21

/** Returns when a finding began by the series of one channel. */
export function beginning(
  state: HealthState,
  context: HealthContext,
  channel: Channel,
  open: OpenFinding,
  noise: Noise,
): ChangePoint {
  const wander = wanderCovariance(noise.gains, channel, channel)
  const earliest = open.before - searchLead
  const found = changePoint(seriesOf(state, context, channel, open), earliest, state.day, wander)
  const ramp = { kind: 'ramp', from: open.before, today: state.day } as const
  return found ?? { early: open.before, likely: open.day, late: open.day, step: 0, shape: ramp, ramp }
}

/** Days of which one point of a series is made. */
const thinned = 2

/** Returns the residuals of a channel around a finding: stored ones if the server gave them, else those of the state. */
export function seriesOf(state: HealthState, context: HealthContext, channel: Channel, open: OpenFinding): Series {
  const from = open.before - seriesLead
  const known = state.channels[channel]!
  const stored = context.recent?.filter(({ day, residuals }) => day >= from && residuals[channel] !== undefined)
  if (stored === undefined || stored.length <= known.days.length) return historyOf(known, from)
  return seriesFrom(
    [],
    stored.map(({ day, residuals }) => [day, residuals[channel]!]),
  )
}

/** Returns the residuals that the state of a channel keeps, from a day on. */
export function historyOf({ weeks, medians, days, values }: ChannelState, from = -Infinity): Series {
  const weekly = weeks.map((week, at): Point => [week * 7 + 3, medians[at]! / unit])
  const first = days[0] ?? Infinity
  return seriesFrom(
    weekly.filter(([day]) => day >= from && day + 3 < first),
    days.map((day, at) => [day, values[at]! / unit]),
  )
}

type Point = readonly [day: number, value: number]

/** Returns a series of weeks and of days, which are thinned from the end, so that today is a point of its own. */
function seriesFrom(weekly: readonly Point[], daily: readonly Point[]): Series {
  const points: Point[] = []
  for (let end = daily.length; end > 0; end -= thinned) {
    const group = daily.slice(Math.max(0, end - thinned), end)
    points.push([mean(group.map(([day]) => day)), mean(group.map(([, value]) => value))])
  }
  const all = [...weekly, ...points.toReversed()]
  return { days: all.map(([day]) => day), values: all.map(([, value]) => value) }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The series of a channel around a finding, and when the finding began by it. */
import { changePoint, type ChangePoint, type Series } from './changePoint.ts'
import { unit } from './channelState.ts'
import { wanderCovariance } from './instruments.ts'
import type { Noise } from './tests.ts'
import type { Channel, HealthContext, HealthState, OpenFinding } from './types.ts'

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
  const shape = { kind: 'ramp', from: open.before, today: state.day } as const
  return found ?? { early: open.before, likely: open.day, late: open.day, step: 0, shape }
}

/** Days of which one point of a series is made. */
const thinned = 2

/** Returns the residuals of a channel around a finding: stored ones if the server gave them, else those of the state. */
export function seriesOf(state: HealthState, context: HealthContext, channel: Channel, open: OpenFinding): Series {
  const from = open.before - seriesLead
  const { weeks, medians, days, values } = state.channels[channel]!
  const stored = context.recent?.filter(({ day, residuals }) => day >= from && residuals[channel] !== undefined)
  const daily = stored !== undefined && stored.length > days.length
  const points: [number, number][] = daily ? [] : weeks.map((week, at) => [week * 7 + 3, medians[at]! / unit])
  const first = daily ? stored[0]!.day : days[0]!
  const recent = daily
    ? stored.map(({ day, residuals }) => [day, residuals[channel]!] as const)
    : days.map((day, at) => [day, values[at]! / unit] as const)
  const kept = points.filter(([day]) => day >= from && day + 3 < first)
  // From the end, so that today is a point of its own.
  for (let end = recent.length; end > 0; end -= thinned) {
    const group = recent.slice(Math.max(0, end - thinned), end)
    kept.push([mean(group.map(([day]) => day)), mean(group.map(([, value]) => value))])
  }
  kept.sort(([one], [other]) => one - other)
  return { days: kept.map(([day]) => day), values: kept.map(([, value]) => value) }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

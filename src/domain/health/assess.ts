/** What the state of a device means today: findings, score and forecasts. */
import { learnDays } from './channelState.ts'
import { findingsOf } from './findings.ts'
import { forecastsOf } from './forecast.ts'
import { msPerDay } from '../time.ts'
import { scoreOf } from './score.ts'
import type { Assessment } from './types/assessment.ts'
import type { HealthCartridge, HealthContext } from './types/context.ts'
import type { HealthState } from './types/state.ts'

/** Returns the assessment of a device for the day `context.day`; the state is not changed. */
export function assess(state: HealthState, context: HealthContext): Assessment {
  const findings = findingsOf(state, context)
  const forecasts = forecastsOf(state, context)
  const learned = learnedDays(state)
  if (learned < learnDays && findings.length === 0)
    return { state: 'learning', score: null, worst: null, stale: [], learned, findings, forecasts }
  const shares = context.cartridges.map(cartridge => lifeLeft(cartridge, context.day))
  const life = shares.length === 0 ? undefined : Math.min(...shares)
  return {
    ...scoreOf(state, findings, { ...context, life }),
    learned: Math.min(learned, learnDays),
    findings,
    forecasts,
  }
}

/** Returns the days with data that the flow's baseline is made of so far; `learnDays` and more once there is one. */
function learnedDays({ channels: { a } }: HealthState): number {
  if (a === undefined) return 0
  return a.baseline === null ? (a.learning?.length ?? 0) : learnDays
}

/** Returns the share of a cartridge's rated life that is left, 0–1. */
const lifeLeft = ({ installed_at, ttl, litres, resource }: HealthCartridge, day: number): number =>
  Math.max(0, Math.min(1 - (day * msPerDay - installed_at) / (ttl * msPerDay), 1 - litres / resource))

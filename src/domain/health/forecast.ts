/** When each cartridge is due: by its date, its litres, or its condition, whichever is first, with an interval. */
import { msPerDay } from '../time.ts'
import { horizons, typicalScores } from './calibration.ts'
import { isSaltKnown, noiseOf, usualRecovery, wanderCovariance } from './instruments.ts'
import { clogged, wornFlow, wornSalt } from './thresholds.ts'
import { daysTo, trendOf } from './wear.ts'
import type { Forecast } from './types/assessment.ts'
import type { Channel } from './types/channels.ts'
import type { CartridgeKind, UncertainBasis } from './types/cartridges.ts'
import type { HealthCartridge, HealthContext } from './types/context.ts'
import type { ChannelState, HealthState } from './types/state.ts'

/** The shortest time that litres and condition can tell, and the time from which on they tell nothing. Days. */
const shortestDays = 1
const longestDays = 1500

/** Returns the forecasts of the cartridges for the day `context.day`. */
export function forecastsOf(state: HealthState, context: HealthContext): Forecast[] {
  return context.cartridges.map(cartridge => forecast(cartridge, state, context))
}

function forecast(cartridge: HealthCartridge, state: HealthState, context: HealthContext): Forecast {
  const now = context.day * msPerDay
  const { position, kind } = cartridge
  const own = context.own_widths?.[kind]
  const remaining = [
    { basis: 'date' as const, days: (cartridge.installed_at - now) / msPerDay + cartridge.ttl },
    { basis: 'litres' as const, days: litresLeft(cartridge, state, context) },
    { basis: 'condition' as const, days: conditionLeft(cartridge, state, context) },
  ]
  const telling = remaining.filter(({ basis, days }) => basis === 'date' || days < longestDays)
  const installed = (cartridge.installed_at - now) / msPerDay
  const ends = telling.map(({ basis, days }) => {
    // A date is certain, and so is what has ended. Litres and condition are as uncertain as past forecasts were.
    if (basis === 'date' || days <= 0) {
      const left = Math.max(days, installed)
      return { basis, left, early: left, late: left }
    }
    const left = Math.max(shortestDays, days)
    const half = (own?.[basis] ?? 1) * typicalWidth(basis, kind, left)
    return { basis, left, early: left * Math.exp(-half), late: left * Math.exp(half) }
  })
  const first = ends.reduce((one, other) => (other.left < one.left ? other : one))
  const at = (days: number) => Math.round(now + days * msPerDay)
  return {
    position,
    kind,
    due: at(first.left),
    // The cartridge ends at the first of them, so each bound is the earliest of theirs.
    early: at(Math.min(...ends.map(({ early }) => early))),
    late: at(Math.min(...ends.map(({ late }) => late))),
    basis: first.basis,
    typical: telling.some(({ basis }) => basis !== 'date' && own?.[basis] === undefined),
    ended: remaining.some(({ days }) => days <= 0),
  }
}

/**
 * Returns half the width of the typical 80 % interval (`npm run bench:health`), as ln of the days left, by what a forecast
 * rests on and how far it reaches. `kind` counts for a condition only.
 */
export function typicalWidth(basis: UncertainBasis, kind: CartridgeKind, days: number): number {
  const scores = typicalScores[basis === 'litres' ? 'litres' : kind === 2 ? 'membrane' : 'pressure']
  return scores[horizonOf(days)]!
}

/** Returns which of the horizons a forecast of so many days belongs to: 0 for less than 30 days, up to 3 for 120 and more. */
export function horizonOf(days: number): number {
  const horizon = horizons.findIndex(limit => days < limit)
  return horizon === -1 ? horizons.length : horizon
}

/** Returns the days until the rated litres are used, at the device's own use; Infinity if that is unknown or zero. */
function litresLeft(
  { kind, litres, resource }: HealthCartridge,
  { recovery }: HealthState,
  { weekly_litres: weeks }: HealthContext,
): number {
  if (weeks === undefined || weeks.length === 0) return Infinity
  const permeate = weeks.reduce((sum, value) => sum + value, 0) / weeks.length
  // A pre-filter filters the feed.
  const daily = kind === 0 ? permeate / (recovery ?? usualRecovery) : permeate
  return daily > 0 ? (resource - litres) / daily : Infinity
}

/**
 * Returns the days until a cartridge is worn by its condition; Infinity for a post-filter, without a baseline, or if the
 * trend moves away from the limit.
 */
function conditionLeft({ kind }: HealthCartridge, state: HealthState, context: HealthContext): number {
  const { priors, day } = context
  const { a, b, h } = state.channels
  if (kind === 1) return Infinity
  const { gains, blend } = noiseOf(state, context)
  const left = (channel: Channel, known: ChannelState | undefined, limit: number, yearly: number) =>
    known === undefined || known.baseline === null
      ? Infinity
      : daysTo(trendOf(known, day, wanderCovariance(gains, channel, channel), yearly / 365.25), limit)
  if (kind === 0) return left('h', h, clogged, 0)
  const flow = left('a', a, wornFlow, priors.flow_a_year)
  // The small difference to what an open bypass adds says nothing about wear.
  return isSaltKnown(blend) ? Math.min(flow, left('b', b, wornSalt, priors.salt_a_year)) : flow
}

/** When each cartridge is due: by its date, its litres, or its condition, whichever is first, with an interval. */
import { conformalQuantile } from '../normalise.ts'
import { msPerDay } from '../time.ts'
import { typicalScores } from './calibration.ts'
import { wornFlow, wornSalt } from './thresholds.ts'
import type { CartridgeKind, ChannelState, Forecast, HealthCartridge, HealthContext, HealthState } from './types.ts'

/** Share of the actual ends that the interval holds, and own outcomes from which their scores are used. */
const coverage = 0.8
const enoughScores = 20
/** Forecasts reach no further, and are at least a day ahead: days. */
const longest = 1500
const shortest = 1
/** Recovery of a device that is not known yet. */
const usualRecovery = 0.4
/** Loss of pressure, as ln, at which a pre-filter is used up. */
const clogged = Math.log(0.8)

/** Returns the forecasts of the cartridges for the day `context.day`. */
export function forecastsOf(state: HealthState, context: HealthContext): Forecast[] {
  return context.cartridges.map(cartridge => forecast(cartridge, state, context))
}

function forecast(cartridge: HealthCartridge, state: HealthState, context: HealthContext): Forecast {
  const now = context.day * msPerDay
  const candidates = [
    { basis: 'date' as const, days: (cartridge.installed_at - now) / msPerDay + cartridge.ttl },
    { basis: 'litres' as const, days: litresLeft(cartridge, state, context) },
    { basis: 'condition' as const, days: conditionLeft(cartridge, state, context) },
  ]
  const { basis, days } = candidates.reduce((one, other) => (other.days < one.days ? other : one))
  const left = Math.min(longest, Math.max(shortest, days))
  const scores = context.scores?.[cartridge.kind] ?? []
  const typical = scores.length < enoughScores
  // A date is certain; litres and condition are as uncertain as past forecasts were.
  const half = basis === 'date' ? 0 : typical ? typicalWidth(basis, left) : conformalQuantile(scores, coverage)
  const others = candidates.filter(one => one.basis !== basis).map(one => one.days)
  const due = now + left * msPerDay
  const early = Math.min(
    due,
    ...others.map(days => now + Math.max(shortest, days) * msPerDay),
    now + left * Math.exp(-half) * msPerDay,
  )
  const late = Math.min(now + left * Math.exp(half) * msPerDay, now + Math.max(left, candidates[0]!.days) * msPerDay)
  return { position: cartridge.position, kind: cartridge.kind, due, early, late: Math.max(due, late), basis, typical }
}

/** Returns half the width of the interval, as ln of the days left, by what a forecast rests on and how far it reaches. */
function typicalWidth(basis: 'litres' | 'condition', days: number): number {
  const [base, growth] = typicalScores[basis]
  return base + growth * Math.sqrt(days / 30)
}

/** Returns the days until the rated litres are used, at the device's own use; Infinity without any. */
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

/** Returns the days until a cartridge is worn by its condition; Infinity where that tells nothing. */
function conditionLeft(cartridge: HealthCartridge, state: HealthState, context: HealthContext): number {
  const { priors } = context
  const kind: CartridgeKind = cartridge.kind
  const { a, b, h } = state.channels
  if (kind === 0) return h === undefined ? Infinity : daysTo(h, clogged, 0, pressureSpread)
  if (kind === 1) return Infinity
  return Math.min(
    a === undefined ? Infinity : daysTo(a, wornFlow, priors.flow_a_year / 365.25, ageingSpread(priors.spread)),
    b === undefined ? Infinity : daysTo(b, wornSalt, priors.salt_a_year / 365.25, ageingSpread(priors.spread)),
  )
}

/** Standard deviation of a day's slope between devices: of membranes that also foul, and of pre-filters. */
const ageingSpread = (spread: number) => (4 * spread) / 365.25
const pressureSpread = 0.0015
/** Variance of a level through the wander of sensors, which is no wear. */
const wandering = 0.03 ** 2

/**
 * Returns the days until the level of a channel reaches a limit: along its own slope, shrunk to that of its type by how well
 * it is known. Infinity if it moves away.
 */
function daysTo(channel: ChannelState, limit: number, typeSlope: number, spread: number): number {
  const { baseline, day, since, level } = channel
  if (baseline === null) return Infinity
  const aged = typeSlope * (day - since)
  const days = Math.max(1, day - since)
  // The slope since the baseline, whose error shrinks with the time.
  const variance = (2 * wandering) / days ** 2
  const weight = spread ** 2 / (spread ** 2 + variance)
  const recent = channel.slope
  const own = weight * (level / days)
  // What has just begun goes on if the trend is sure of it.
  const sure = Math.min(1, (recent * recent) / (channel.covariance[2] * 9 + 1e-12))
  const slope = typeSlope + own + sure * (recent - own)
  const left = limit - (level + aged)
  if (left / limit <= 0) return 0
  return slope / limit <= 0 ? Infinity : left / slope
}

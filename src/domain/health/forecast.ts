/** When each cartridge is due: by its date, its litres, or its condition, whichever is first, with an interval. */
import { msPerDay } from '../time.ts'
import { horizons, typicalScores } from './calibration.ts'
import { saltChannel } from './channelState.ts'
import { isSaltKnown, noiseOf, usualRecovery, wanderCovariance } from './instruments.ts'
import { newestPrefilter, remainingLitres, type RemainingLitres } from './lives/prefilters.ts'
import { clogged, wornFlow, wornSalt } from './thresholds.ts'
import { daysTo, reachedOn, trendOf, type Course } from './wear.ts'
import type { Forecast } from './types/assessment.ts'
import type { Channel } from './types/channels.ts'
import type { CartridgeKind, UncertainBasis } from './types/cartridges.ts'
import type { HealthCartridge, HealthContext } from './types/context.ts'
import type { HealthState } from './types/state.ts'

/** The minimum and the maximum time that litres and condition can forecast, in days. */
const minDays = 1
const maxDays = 1500

/** Returns the forecasts of the cartridges for the day `context.day`: by their dates alone before there is a state. */
export function forecastsOf(state: HealthState | undefined, context: HealthContext): Forecast[] {
  return context.cartridges.map(cartridge => forecast(cartridge, state, context))
}

/** What may end a cartridge: the days that are left by it, and the like pre-filters that say so, if it is not its own trend. */
interface Remaining {
  readonly basis: Forecast['basis']
  readonly days: number
  readonly like?: RemainingLitres | undefined
}

function forecast(cartridge: HealthCartridge, state: HealthState | undefined, context: HealthContext): Forecast {
  const now = context.day * msPerDay
  const { position, kind } = cartridge
  const remaining: Remaining[] = [{ basis: 'date', days: (cartridge.installed_at - now) / msPerDay + cartridge.ttl }]
  if (state !== undefined)
    remaining.push(
      { basis: 'litres', days: litresLeft(cartridge, state, context) },
      { basis: 'condition', ...conditionLeft(cartridge, state, context) },
    )
  const informative = remaining.filter(({ basis, days }) => basis === 'date' || days < maxDays)
  const ends = informative.map(each => ({ ...each, ...intervalOf(each, cartridge, context) }))
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
    like_ends: first.like?.ends ?? null,
    typical: first.like === undefined && ends.some(({ typical }) => typical),
    ended: remaining.some(({ days }) => days <= 0),
  }
}

/** Days that are left, and between which 80 % of the ends lie; and whether that is from scores of the bench. */
interface Interval {
  readonly left: number
  readonly early: number
  readonly late: number
  readonly typical: boolean
}

function intervalOf(
  { basis, days, like }: Remaining,
  { kind, installed_at }: HealthCartridge,
  { day, own_widths }: HealthContext,
): Interval {
  // The litres of like pre-filters become days by the device's own use, which is as uncertain as in a forecast by litres.
  const uncertain = like ? 'litres' : basis
  const own = uncertain === 'date' ? 1 : own_widths?.[kind]?.[uncertain]
  const typical = own === undefined
  // A date is certain, and so is what has ended. Litres and condition are as uncertain as past forecasts were.
  if (uncertain === 'date' || days <= 0) {
    const left = Math.max(days, (installed_at - day * msPerDay) / msPerDay)
    return { left, early: left, late: left, typical }
  }
  const left = Math.max(minDays, days)
  const half = (own ?? 1) * typicalWidth(uncertain, kind, left)
  const [before, after] = like ? [Math.log(like.likely / like.early), Math.log(like.late / like.likely)] : [0, 0]
  return {
    left,
    early: left * Math.exp(-Math.hypot(half, before)),
    late: left * Math.exp(Math.hypot(half, after)),
    typical,
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
function litresLeft(cartridge: HealthCartridge, state: HealthState, context: HealthContext): number {
  const daily = litresADay(cartridge, state, context)
  return daily > 0 ? (cartridge.resource - cartridge.litres) / daily : Infinity
}

/** Returns the litres a day that a cartridge filters, after the last weeks; 0 if they are unknown. */
function litresADay(
  { kind }: HealthCartridge,
  { recovery }: HealthState,
  { weekly_litres: weeks = [] }: HealthContext,
): number {
  if (weeks.length === 0) return 0
  const permeate = weeks.reduce((sum, value) => sum + value, 0) / weeks.length
  // A pre-filter filters the feed.
  return kind === 0 ? permeate / (recovery ?? usualRecovery) : permeate
}

/**
 * Returns the days until a cartridge is worn by its condition, 0 or less if it is; Infinity for a post-filter, without a
 * baseline, or if the trend moves away from the limit.
 */
function conditionLeft(
  cartridge: HealthCartridge,
  state: HealthState,
  context: HealthContext,
): Pick<Remaining, 'days' | 'like'> {
  const { priors, day } = context
  if (cartridge.kind === 1) return { days: Infinity }
  const { gains, blend } = noiseOf(state, context)
  const wearOf = (channel: Channel, limit: number, yearly: number, course = evenly) => {
    const known = state.channels[channel]
    if (known === undefined || known.baseline === null) return { days: Infinity, shown: 0 }
    const ageing = yearly / 365.25
    const trend = trendOf(known, day, { wander: wanderCovariance(gains, channel, channel), ageing, course })
    const days = daysTo(trend, limit)
    return { days: days > 0 ? days : Math.min(0, reachedOn(known, limit, ageing) - day), shown: trend.shown }
  }
  if (cartridge.kind === 0) {
    const { days, shown } = wearOf('h', clogged, 0, clogging)
    const daily = litresADay(cartridge, state, context)
    const declines = days < Infinity && (days <= 0 || shown > declining)
    const like = declines || state.channels.h === undefined || daily === 0 ? undefined : litresOfLike(context)
    return like === undefined ? { days } : { days: like.likely / daily, like }
  }
  const flow = wearOf('a', wornFlow, priors.flow_a_year).days
  // The small difference to what an open bypass adds says nothing about wear.
  const salt = isSaltKnown(blend) ? saltChannel(state) : undefined
  const passage = salt === undefined ? Infinity : wearOf(salt, wornSalt, priors.salt_a_year).days
  return { days: Math.min(flow, passage) }
}

/** How membranes wear, and how pre-filters do: the finer their pores have become, the faster. */
const evenly: Course = { kinds: ['ramp'] }
const clogging: Course = { kinds: ['ramp', 'curve'], sinceFirst: true }

/** Probability of an own decline from which it says more than like pre-filters. */
const declining = 0.5

/**
 * Returns what like pre-filters forecast for a device's; undefined if they forecast nothing. With a booster pump the pressure
 * is also that of the pump. Several pre-filters share their pressure, so that the newest one counts (`newestPrefilter`).
 */
function litresOfLike({ boosted, cartridges, prefilter_lives: lives }: HealthContext): RemainingLitres | undefined {
  const newest = newestPrefilter(cartridges)
  return boosted || lives === undefined || newest === undefined ? undefined : remainingLitres(lives, newest.litres)
}

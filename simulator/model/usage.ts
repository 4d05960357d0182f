/** Usage: the times and amounts of draws. */
import { noise, type Random } from './random.ts'
import { msPerDay, msPerHour } from '../../src/domain/time.ts'

export const profiles = ['household', 'office'] as const
export type Profile = (typeof profiles)[number]

export interface Usage {
  readonly profile: Profile
  /** Litres of permeate on an average day. */
  readonly litresADay: number
  /** Litres of an average draw. */
  readonly litresADraw: number
  /** UTC offset of the site in milliseconds. */
  readonly utcOffset: number
  readonly seed: number
}

/**
 * Draws by hour of the day, relative to the average hour. Typical profiles of drinking water demand: households peak
 * in the morning and the evening, later at weekends; offices draw during opening hours.
 */
const byHour: Readonly<Record<Profile, { readonly weekday: readonly number[]; readonly weekend: readonly number[] }>> =
  {
    household: {
      weekday: scaled(1, [1, 1, 1, 1, 1, 2, 6, 9, 7, 4, 3, 3, 5, 4, 3, 3, 4, 6, 9, 9, 7, 5, 4, 2]),
      weekend: scaled(1.2, [2, 1, 1, 1, 1, 1, 2, 4, 7, 9, 8, 7, 7, 6, 5, 5, 5, 6, 8, 8, 7, 5, 4, 3]),
    },
    office: {
      weekday: scaled(1.35, [0, 0, 0, 0, 0, 1, 3, 8, 12, 12, 11, 10, 12, 11, 10, 9, 7, 4, 2, 1, 1, 0, 0, 0]),
      weekend: scaled(0.08, [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0, 0, 0]),
    },
  }

/** Returns the shares scaled to a mean of `mean`. */
function scaled(mean: number, shares: readonly number[]): readonly number[] {
  const sum = shares.reduce((subtotal, share) => subtotal + share, 0)
  return shares.map(share => (share / sum) * 24 * mean)
}

const maxDemand: Readonly<Record<Profile, number>> = {
  household: Math.max(...byHour.household.weekday, ...byHour.household.weekend),
  office: Math.max(...byHour.office.weekday, ...byHour.office.weekend),
}

/** Share of weeks on holiday, and the demand during them relative to the average. */
const awayShare = 2 / 52
const awayDemand = 0.03

/** Returns the demand at a time (milliseconds UTC) relative to the average, by local hour, weekday and holidays. */
export function demand(usage: Usage, at: number): number {
  const local = at + usage.utcOffset
  const dayNumber = Math.floor(local / msPerDay)
  // 1 January 1970 was a Thursday: 0 and 6 are Sunday and Saturday.
  const weekday = (dayNumber + 4) % 7
  const shares = byHour[usage.profile][weekday === 0 || weekday === 6 ? 'weekend' : 'weekday']
  const isAway = noise(usage.seed, Math.floor((dayNumber + 3) / 7)) < awayShare
  return shares[Math.floor((local - dayNumber * msPerDay) / msPerHour)]! * (isAway ? awayDemand : 1)
}

/**
 * Returns the time of the next draw after a time, milliseconds UTC: a Poisson process whose rate follows `demand`,
 * sampled by thinning (Lewis and Shedler, 1979).
 */
export function nextDraw(usage: Usage, after: number, rng: Random): number {
  const meanInterval = (usage.litresADraw / usage.litresADay) * msPerDay
  const max = maxDemand[usage.profile]
  for (let at = after + rng.exponential(meanInterval / max); ; at += rng.exponential(meanInterval / max))
    if (rng.next() * max < demand(usage, at)) return at
}

/** Returns the litres of one draw, exponentially distributed within bounds. */
export const randomDrawLitres = (usage: Usage, rng: Random): number =>
  Math.min(5 * usage.litresADraw, Math.max(0.1, rng.exponential(usage.litresADraw)))

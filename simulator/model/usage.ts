/** When people draw water, and how much. */
import { noise, type Random } from './random.ts'
import { day, hour } from './time.ts'

export const profiles = ['household', 'office'] as const
export type Profile = (typeof profiles)[number]

export interface Usage {
  readonly profile: Profile
  /** Litres of permeate on an average day. */
  readonly litresADay: number
  /** Litres of an average draw. */
  readonly litresADraw: number
  /** Milliseconds that the site's clock is ahead of UTC. */
  readonly ahead: number
  readonly seed: number
}

/**
 * How many draws an hour has against the average one. The shape is the usual one of drinking water demand: a household
 * draws in the morning and the evening, later at weekends; an office while it is open.
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

function scaled(total: number, shares: readonly number[]): readonly number[] {
  const sum = shares.reduce((before, share) => before + share, 0)
  return shares.map(share => (share / sum) * 24 * total)
}

const maxDemand: Readonly<Record<Profile, number>> = {
  household: Math.max(...byHour.household.weekday, ...byHour.household.weekend),
  office: Math.max(...byHour.office.weekday, ...byHour.office.weekend),
}

/** Weeks in which nobody is there: two of a year, in which hardly anything is drawn. */
const awayShare = 2 / 52
const awayDemand = 0.03

/** How much is drawn at a moment against the average, by hour of the site's day, day of its week, and holidays. */
export function demand(usage: Usage, at: number): number {
  const local = at + usage.ahead
  const dayNumber = Math.floor(local / day)
  // 1 January 1970 was a Thursday: 0 and 6 are Sunday and Saturday.
  const weekday = (dayNumber + 4) % 7
  const shares = byHour[usage.profile][weekday === 0 || weekday === 6 ? 'weekend' : 'weekday']
  const away = noise(usage.seed, Math.floor((dayNumber + 3) / 7)) < awayShare
  return shares[Math.floor((local - dayNumber * day) / hour)]! * (away ? awayDemand : 1)
}

/**
 * When water is drawn next after a moment: a Poisson process whose rate follows `demand`, by thinning one of the
 * busiest hour's rate (Lewis and Shedler, 1979).
 */
export function nextDraw(usage: Usage, after: number, dice: Random): number {
  const between = (usage.litresADraw / usage.litresADay) * day
  const max = maxDemand[usage.profile]
  for (let at = after + dice.until(between / max); ; at += dice.until(between / max))
    if (dice.next() * max < demand(usage, at)) return at
}

/** Litres of one draw: most are a glass or a jug, few a bucket. */
export const drawnLitres = (usage: Usage, dice: Random): number =>
  Math.min(5 * usage.litresADraw, Math.max(0.1, dice.until(usage.litresADraw)))

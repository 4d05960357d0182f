/**
 * What became of a forecast once its cartridge has ended. A cartridge ends on the day on which its date, its litres or its
 * condition are at their end, or when it is replaced shortly before. One that is replaced early would have lasted longer:
 * that bounds its life on one side only, so it never counts as a miss of the early side [Candès, Lei and Ren 2023].
 */
import { msPerDay } from '../../time.ts'
import type { Forecast } from '../types/assessment.ts'
import type { KeptForecast } from './kept.ts'

/** Share of its life that a cartridge which is replaced early still had before it, by its newest forecast. */
const earlyShare = 0.1
/** Days before the daily step at which it assumes that what it sees happened: it looks once a day. */
const sinceStep = 0.5
/** The minimum number of days of a forecast, so that a score is finite. */
const minDays = 0.5

/** The end of a cartridge. */
export interface CartridgeEnd {
  /** Milliseconds UTC. */
  readonly at: number
  /** Whether it was replaced while it would have lasted longer. */
  readonly early: boolean
}

export interface Outcome {
  readonly end: CartridgeEnd
  /** Whether the cartridge ended in the interval; null if that is unknown, because it was replaced early. */
  readonly inside: boolean | null
  /** |ln(actual ÷ forecast)| of the days left; null if the actual ones are unknown. */
  readonly score: number | null
}

/** Returns how a forecast turned out. */
export function judge({ made, due, early, late }: KeptForecast, end: CartridgeEnd): Outcome {
  // A cartridge that outlasted its interval missed it, whenever it ends.
  if (end.early && end.at <= late) return { end, inside: null, score: null }
  const actual = Math.max(minDays * msPerDay, end.at - made)
  return { end, inside: end.at >= early && end.at <= late, score: Math.abs(Math.log(actual / (due - made))) }
}

/** The newest forecast of a cartridge, milliseconds UTC. */
export interface NewestForecast {
  readonly made: number
  readonly due: number
}

/** A cartridge: when it was installed, and when its date comes, milliseconds UTC. */
export interface Dates {
  readonly installed: number
  readonly expires: number
}

/** Returns the end of a cartridge by its replacement (milliseconds UTC). */
export function endByReplacement(
  replacedAt: number,
  { installed, expires }: Dates,
  newest: NewestForecast | undefined,
): CartridgeEnd {
  if (replacedAt >= expires) return { at: expires, early: false }
  // A forecast that was made since is about the new cartridge.
  if (newest === undefined || newest.made >= replacedAt) return { at: replacedAt, early: true }
  const { due } = newest
  return { at: replacedAt, early: due - replacedAt > earlyShare * (due - installed) }
}

/** Returns the end of a cartridge whose forecast says today that it is used up; undefined if it does not. */
export const endByWear = ({ ended }: Forecast, day: number, { expires }: Dates): CartridgeEnd | undefined =>
  ended ? { at: Math.min(expires, (day - sinceStep) * msPerDay), early: false } : undefined

/** What counts as a change: sizes below which no finding is made, as ln, whatever the statistics say. */
import type { ByChannel, Channel } from './types/channels.ts'

/** Smallest change against the trend of 45 days ago that a slow test finds. */
export const slowSize: Readonly<Record<Channel, number>> = {
  a: 0.125,
  b: 0.25,
  brief: 0.3,
  r: 0.12,
  h: 0.15,
  f: 0.12,
  p: 0.15,
  meter: 0.14,
  tank: 0.22,
}

/** Smallest change within days that a step test finds. */
export const stepSize: Readonly<Record<Channel, number>> = {
  a: 0.12,
  b: 0.12,
  brief: 0.3,
  r: 0.15,
  h: 0.15,
  f: 0.12,
  p: 0.15,
  meter: 0.14,
  // Nothing empties it within days, and a few odd runs look like it.
  tank: Infinity,
}

/** What goes up for a: a membrane that gives more water is in no hurry. What goes down for b: it rejects more. */
const harmless: ByChannel<{ readonly sign: 1 | -1; readonly factor: number }> = {
  a: { sign: 1, factor: 1.5 },
  b: { sign: -1, factor: 1.4 },
  brief: { sign: -1, factor: 1.4 },
}

/** Returns the factor of the thresholds for a change in its direction. */
export function leniency(channel: Channel, value: number): number {
  const direction = harmless[channel]
  return direction !== undefined && value * direction.sign > 0 ? direction.factor : 1
}

/** Standard errors over which the tests must be, and days in a row. */
export const slowErrors: Readonly<Record<Channel, number>> = {
  a: 3.5,
  b: 3.6,
  brief: 3.6,
  r: 3.6,
  h: 3.5,
  f: 3.5,
  p: 3.5,
  meter: 3.8,
  tank: 4,
}
export const slowDays = 2
export const stepErrors = 3.7
export const stepDays = 2

/** Days back to which the slow test compares. */
export const slowReach = 45
/** Longer for a tank, which loses its air over months: in 45 days it changes by less than it must. */
const tankReach = 75
export const slowReachOf = (channel: Channel): number => (channel === 'tank' ? tankReach : slowReach)

/** Litres an hour at rest that count, and hours in a day for which they must flow. */
export const minRestFlow = 0.3
export const restHours = 3

/**
 * Rise of brief salt passage, and over settled salt passage, that is a finding, as ln and in standard errors, and for how many days
 * in a row. Tuned so that it costs no false alarm in 9,200 device-months of the bench (seeds 4,711 and 991).
 */
export const creepSize = 0.15
export const creepErrors = 5
export const creepDays = 5

/** A finding closes once its largest change has been below this share of its threshold for so many days. */
export const closedBelow = 0.5
export const closedDays = 7

/** A membrane is worn at this change of a or of b since new, as ln, or below this rejection (NSF/ANSI 58). */
export const wornFlow = Math.log(0.75)
export const wornSalt = Math.log(2)
export const wornRejection = 0.75

/** Loss of pressure, as ln, at which a pre-filter is used up. */
export const clogged = Math.log(0.8)

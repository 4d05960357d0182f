/** Which day the charts end with. */
import { dayOf, instantOf, wallTime } from '../zone.ts'

const day = 86_400_000

/**
 * Where the newest day ends, milliseconds UTC on the clock of `zone`: the latest of the dates that it is in the devices'
 * own zones, or where none are known, in `zone`.
 */
export function newestEnd(now: number, zone: string, own: readonly string[]): number {
  const dates = (own.length > 0 ? own : [zone]).map(one => dayOf(wallTime(one, now)))
  return instantOf(zone, Math.max(...dates) + day)
}

/** The end of the day that `until` is in or ends, milliseconds UTC, as the clock in another zone has it. */
export const sameDate = (until: number, zone: string, own: string): number =>
  instantOf(own, dayOf(wallTime(zone, until - 1)) + day)

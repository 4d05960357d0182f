/** The day with which the charts end. */
import { dayOf, instantOf, wallTime } from '../zone.ts'

const day = 86_400_000

/**
 * Returns the end of the newest day in `zone`, milliseconds UTC. The newest day is the latest current date in the
 * devices' zones, or in `zone` if there are none.
 */
export function newestDayEnd(now: number, zone: string, deviceZones: readonly string[]): number {
  const dates = (deviceZones.length > 0 ? deviceZones : [zone]).map(one => dayOf(wallTime(one, now)))
  return instantOf(zone, Math.max(...dates) + day)
}

/** Returns the end of the same date in another zone, milliseconds UTC. `until` is in that day or ends it. */
export const sameDateEnd = (until: number, zone: string, otherZone: string): number =>
  instantOf(otherZone, dayOf(wallTime(zone, until - 1)) + day)

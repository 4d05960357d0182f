/** The calendar days, weeks, months and years that the charts step through. */
import { bucketsOfPeriod, type BucketRange } from '../buckets.ts'
import { dayOf, instantOf, wallTime } from '../zone.ts'
import { msPerDay } from '../time.ts'

/** What the charts show: the newest range if `until` is undefined, otherwise the calendar period of that ISO time. */
export interface ChartPeriod {
  readonly range: BucketRange
  readonly until?: string | undefined
}

/** The present: milliseconds UTC, the viewer's zone, and the devices' zones if each is read in its own. */
export interface Present {
  readonly now: number
  readonly zone: string
  readonly deviceZones: readonly string[]
}

/**
 * Returns the `until` of the previous period. Before the newest range it is the one before the current period, which is
 * the period of the latest current date in the devices' zones.
 */
export function earlierPeriod({ range, until }: ChartPeriod, present: Present): string {
  const end = until === undefined ? newestDayEnd(present) : Date.parse(until)
  return new Date(bucketsOfPeriod(range, end, present.zone).edges[0]!).toISOString()
}

/** Returns the `until` of the next period; undefined if that is the current one or there is none. */
export function laterPeriod({ range, until }: ChartPeriod, present: Present): string | undefined {
  if (until === undefined) return undefined
  const { zone } = present
  const shown = bucketsOfPeriod(range, Date.parse(until), zone).edges.at(-1)!
  const next = bucketsOfPeriod(range, shown + 1, zone).edges.at(-1)!
  return next < newestDayEnd(present) ? new Date(next).toISOString() : undefined
}

/**
 * Returns the end of the newest day in the viewer's zone, milliseconds UTC. The newest day is the latest current date in
 * the devices' zones, or in the viewer's if there are none.
 */
function newestDayEnd({ now, zone, deviceZones }: Present): number {
  const dates = (deviceZones.length > 0 ? deviceZones : [zone]).map(one => dayOf(wallTime(one, now)))
  return instantOf(zone, Math.max(...dates) + msPerDay)
}

/** Returns the end of the same date in another zone, milliseconds UTC. `until` is in that day or ends it. */
export const sameDateEnd = (until: number, zone: string, otherZone: string): number =>
  instantOf(otherZone, dayOf(wallTime(zone, until - 1)) + msPerDay)

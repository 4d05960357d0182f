/** Buckets of a device's statistics: whole days of a time zone, divided into buckets. */
import { dayOf, instantOf, wallTime } from './zone.ts'
import { msPerDay, msPerHour, msPerMinute } from './time.ts'

/** `days`: number of days up to the one that contains `until`. `step`: a bucket's usual length in milliseconds. */
const grids = {
  day: { days: 1, step: 10 * msPerMinute },
  week: { days: 7, step: msPerHour },
  month: { days: 30, step: 6 * msPerHour },
  year: { days: 365, step: msPerDay },
} as const satisfies Record<string, { days: number; step: number }>

export interface Buckets {
  /** Milliseconds UTC: the start of each bucket and the end of the last. */
  readonly edges: readonly number[]
  /** A bucket's usual length; a bucket in which clocks change may be longer or shorter. */
  readonly seconds: number
}

/**
 * Returns buckets aligned to the zone's days. `until` (milliseconds UTC) is exclusive: midnight belongs to the day it
 * ends. Buckets of up to an hour follow elapsed time, so a day of 23 or 25 hours has that many; longer ones start at
 * 0:00, 6:00, 12:00 and 18:00 local time, so every day has four.
 */
export function bucketsOf(range: keyof typeof grids, until: number, zone: string): Buckets {
  const last = dayOf(wallTime(zone, until - 1))
  const key = `${range} ${last} ${zone}`
  const buckets = recent.get(key) ?? computeBuckets(range, last, zone)
  if (recent.size >= maxRecent) recent.clear()
  recent.set(key, buckets)
  return buckets
}

/** Cached because time zone conversions take milliseconds, and the charts of several devices share their buckets. */
const recent = new Map<string, Buckets>()
const maxRecent = 100

/** `last`: the wall time at which the last day starts. */
function computeBuckets(range: keyof typeof grids, last: number, zone: string): Buckets {
  const { days, step } = grids[range]
  const dayStarts = Array.from({ length: days + 1 }, (_, index) =>
    instantOf(zone, last + (index + 1 - days) * msPerDay),
  )
  const edges = dayStarts.slice(0, -1).flatMap((start, index) => {
    const end = dayStarts[index + 1]!
    const count = step <= msPerHour ? Math.ceil((end - start) / step) : msPerDay / step
    const wall = last + (index + 1 - days) * msPerDay
    return Array.from({ length: count }, (_, index) =>
      step <= msPerHour || index === 0 ? start + index * step : instantOf(zone, wall + index * step),
    )
  })
  // A day that a zone skipped when it crossed the date line has no length and therefore no bucket.
  const distinct = [...edges, dayStarts.at(-1)!].filter((edge, at, all) => at === 0 || edge > all[at - 1]!)
  return { edges: distinct, seconds: step / 1000 }
}

/** Buckets of a device's statistics: the newest ones, or those of a calendar day, week, month or year in a time zone. */
import { dayOf, instantOf, wallTime } from './zone.ts'
import { msPerDay, msPerHour, msPerMinute } from './time.ts'

/**
 * `step`: a bucket's usual length in milliseconds. `newest`: the usual number of buckets up to now. 31 and 366 days, because
 * stepping back from them leads to the calendar month or year before the current one: a shorter range would skip days that
 * are in neither.
 */
const grids = {
  day: { step: 10 * msPerMinute, newest: 24 * 6 },
  week: { step: msPerHour, newest: 7 * 24 },
  month: { step: 6 * msPerHour, newest: 31 * 4 },
  year: { step: msPerDay, newest: 366 },
} as const satisfies Record<string, { step: number; newest: number }>

export type BucketRange = keyof typeof grids

export interface Buckets {
  /** Milliseconds UTC: the start of each bucket and the end of the last. */
  readonly edges: readonly number[]
  /** A bucket's usual length; a bucket in which clocks change may be longer or shorter. */
  readonly seconds: number
}

/**
 * Returns the newest buckets: the last 24 hours, 7 days, 31 days or 366 days up to the bucket that contains `now`
 * (milliseconds UTC), and at the end of a day or week in which clocks were put back up to an hour more, so that they contain
 * all of the current period. Buckets are divided as by `bucketsOfPeriod`.
 */
export function newestBuckets(range: BucketRange, now: number, zone: string): Buckets {
  const { step, newest } = grids[range]
  const today = dayOf(wallTime(zone, now))
  // One day more, as a day has 23 hours when clocks are put forward, and one for the part of today that is to come.
  const days = Math.ceil((newest * step) / msPerDay) + 2
  const edges = daysOfBuckets(step, today - (days - 1) * msPerDay, days, zone)
  const end = edges.findIndex(edge => edge > now)
  const periodStart = instantOf(zone, periodOf(range, today)[0])
  const current = edges.findIndex(edge => edge >= periodStart)
  return { edges: edges.slice(Math.max(0, Math.min(end - newest, current)), end + 1), seconds: step / 1000 }
}

/**
 * Returns the buckets of the zone's calendar day, week (from Monday), month or year that contains `until` (milliseconds
 * UTC, exclusive: midnight belongs to the day it ends). Buckets of up to an hour follow elapsed time, so a day of 23 or 25
 * hours has that many; longer ones start at 0:00, 6:00, 12:00 and 18:00 local time, so every day has four.
 */
export function bucketsOfPeriod(range: BucketRange, until: number, zone: string): Buckets {
  const { step } = grids[range]
  const [first, end] = periodOf(range, dayOf(wallTime(zone, until - 1)))
  return { edges: daysOfBuckets(step, first, (end - first) / msPerDay, zone), seconds: step / 1000 }
}

/** The wall time of 1970-01-05. */
const firstMonday = 4 * msPerDay

/** Returns the wall times at which the period of a day starts and ends. */
function periodOf(range: BucketRange, day: number): [number, number] {
  const date = new Date(day)
  // `setUTCFullYear` accepts the years before 100, which `Date.UTC` takes for years after 1900.
  const monthStart = (months: number) => new Date(0).setUTCFullYear(date.getUTCFullYear(), months, 1)
  switch (range) {
    case 'day':
      return [day, day + msPerDay]
    case 'week': {
      const monday = day - (((((day - firstMonday) / msPerDay) % 7) + 7) % 7) * msPerDay
      return [monday, monday + 7 * msPerDay]
    }
    case 'month':
      return [monthStart(date.getUTCMonth()), monthStart(date.getUTCMonth() + 1)]
    case 'year':
      return [monthStart(0), monthStart(12)]
  }
}

/** Cached because time zone conversions take milliseconds, and the charts of several devices share their buckets. */
const recent = new Map<string, readonly number[]>()
const maxRecent = 100

/** Returns the edges of the buckets of whole days. `first`: the wall time at which the first day starts. */
function daysOfBuckets(step: number, first: number, days: number, zone: string): readonly number[] {
  const key = `${step} ${first} ${days} ${zone}`
  const edges = recent.get(key) ?? computeEdges(step, first, days, zone)
  if (recent.size >= maxRecent) recent.clear()
  recent.set(key, edges)
  return edges
}

function computeEdges(step: number, first: number, days: number, zone: string): readonly number[] {
  const dayStarts = Array.from({ length: days + 1 }, (_, index) => instantOf(zone, first + index * msPerDay))
  const edges = dayStarts.slice(0, -1).flatMap((start, index) => {
    const end = dayStarts[index + 1]!
    // A day that a zone skipped when it crossed the date line has no length and therefore no bucket.
    if (end <= start) return []
    const count = step <= msPerHour ? Math.ceil((end - start) / step) : msPerDay / step
    const wall = first + index * msPerDay
    return Array.from({ length: count }, (_, index) =>
      step <= msPerHour || index === 0 ? start + index * step : instantOf(zone, wall + index * step),
    )
  })
  return [...edges, dayStarts.at(-1)!]
}

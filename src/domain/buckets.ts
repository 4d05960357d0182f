/** The grid of a device's statistics: whole days of the person's zone, cut into buckets. */
import { dayOf, instantOf, wallTime } from './zone.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `days` end with the day that holds `until`; `step` is a bucket's usual length, milliseconds. */
const grids = {
  day: { days: 1, step: 10 * minute },
  week: { days: 7, step: hour },
  month: { days: 30, step: 6 * hour },
  year: { days: 365, step: day },
} as const satisfies Record<string, { days: number; step: number }>

export interface Buckets {
  /** Milliseconds UTC of each bucket's begin, and of the last one's end. */
  readonly edges: readonly number[]
  /** A bucket's usual length; where clocks change, one may be longer or shorter. */
  readonly seconds: number
}

/**
 * Buckets aligned to the zone's days. `until` (milliseconds UTC) is exclusive: midnight belongs to the day it ends.
 * Up to an hour long they count elapsed time, so that a day of 23 or 25 hours has as many; longer ones begin at
 * 0, 6, 12 and 18 on the wall clock, so that a day has four whatever its length.
 */
export function bucketsOf(range: keyof typeof grids, until: number, zone: string): Buckets {
  const last = dayOf(wallTime(zone, until - 1))
  const key = `${range} ${last} ${zone}`
  const made = recent.get(key) ?? cut(range, last, zone)
  if (recent.size >= maxRecent) recent.clear()
  recent.set(key, made)
  return made
}

/** Asking clocks takes milliseconds, and the charts of several devices have one grid. */
const recent = new Map<string, Buckets>()
const maxRecent = 100

/** `last`: the wall time at which the last day begins. */
function cut(range: keyof typeof grids, last: number, zone: string): Buckets {
  const { days, step } = grids[range]
  const dayStarts = Array.from({ length: days + 1 }, (_, at) => instantOf(zone, last + (at + 1 - days) * day))
  const edges = dayStarts.slice(0, -1).flatMap((start, at) => {
    const end = dayStarts[at + 1]!
    const count = step <= hour ? Math.ceil((end - start) / step) : day / step
    const wall = last + (at + 1 - days) * day
    return Array.from({ length: count }, (_, place) =>
      step <= hour || place === 0 ? start + place * step : instantOf(zone, wall + place * step),
    )
  })
  // A day that a zone left out when it crossed the date line has no length, and no bucket.
  const distinct = [...edges, dayStarts.at(-1)!].filter((edge, at, all) => at === 0 || edge > all[at - 1]!)
  return { edges: distinct, seconds: step / 1000 }
}

/** The hours in which the tasks of a job may begin, in the wall-clock time of a zone (see `zone.ts`). */
import { msPerDay, msPerHour, msPerMinute } from '../time.ts'
import { dayOf, wallTime, weekdayOf } from '../zone.ts'

/** `window` of a job's policy. */
export interface TimeWindow {
  /** The days on which the window opens, from 1, Monday, to 7, Sunday; at least one. */
  readonly days: readonly number[]
  /** `HH:MM`; the window is open from then on. */
  readonly from: string
  /** `HH:MM`, exclusive; on the following day if it is before `from`. */
  readonly to: string
}

/**
 * Returns `at` if the window is open then, otherwise the moment at which it next opens; milliseconds UTC. `zone`: an IANA
 * name.
 *
 * What the clock shows decides. If clocks are put forward over the opening time, the window therefore opens at the change,
 * unless they are put forward over all of the window: then it does not open on that day. If clocks are put back, the
 * window is open each time that the clock shows an hour in it, so a window in the repeated hour opens twice.
 */
export function nextOpening(window: TimeWindow, zone: string, at: number): number {
  let instant = at
  for (;;) {
    const wall = wallTime(zone, instant)
    if (isOpen(window, wall)) return instant
    const next = instant + Math.min(opensIn(window, wall), msPerDay)
    // Until clocks change, wall time runs like UTC; after a change the window may be open or further away than before.
    instant = changeBetween(zone, instant, next) ?? next
  }
}

/** Returns whether the window is open at a wall time. */
function isOpen({ days, from, to }: TimeWindow, wall: number): boolean {
  const [opens, closes, time] = [timeOfDay(from), timeOfDay(to), wall - dayOf(wall)]
  const opensToday = days.includes(weekdayOf(wall))
  if (opens < closes) return opensToday && opens <= time && time < closes
  return (opensToday && opens <= time) || (days.includes(weekdayOf(wall - msPerDay)) && time < closes)
}

/** Returns the milliseconds from a wall time outside the window until its next opening time. */
function opensIn({ days, from }: TimeWindow, wall: number): number {
  const today = dayOf(wall) + timeOfDay(from)
  // The eighth day, as today's opening time may have passed.
  const openings = Array.from({ length: 8 }, (_, index) => today + index * msPerDay)
  const opening = openings.find(each => each > wall && days.includes(weekdayOf(each)))
  if (opening === undefined) throw new RangeError('A window without days never opens')
  return opening - wall
}

/**
 * Returns the first instant after `from` and until `to` at which clocks have changed; undefined if they do not change.
 * `from` and `to` are at most a day apart, so there is at most one change between them.
 */
function changeBetween(zone: string, from: number, to: number): number | undefined {
  const offset = (instant: number) => wallTime(zone, instant) - instant
  const before = offset(from)
  if (offset(to) === before) return undefined
  let [last, first] = [from, to]
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2)
    if (offset(middle) === before) last = middle
    else first = middle
  }
  return first
}

/** Returns the milliseconds from midnight to `HH:MM`. */
function timeOfDay(text: string): number {
  const [hours = Number.NaN, minutes = Number.NaN] = text.split(':').map(Number)
  return hours * msPerHour + minutes * msPerMinute
}

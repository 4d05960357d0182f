/** Formats the calendar's days and times (see `days.ts`). */
import { instantOf, wallTime } from '../zone.ts'
import {
  addDays,
  dayAt,
  daysOf,
  inCalendar,
  occurrence,
  visibleDays,
  wallOf,
  parseWallTime,
  wholeMinute,
  type Day,
  type Span,
} from './days.ts'
import { hasTwelveHours, timeOfDay, wallFormat, wallRangeFormat } from '../dates.ts'
import { msPerDay, msPerMinute } from '../time.ts'
import type { CalendarView } from './views.ts'

/** `09:00` */
export const clock = timeOfDay
/** `Tuesday, March 3, 2026` */
export const longDay = wallFormat({ dateStyle: 'full' })
/** `Tue, Mar 3` */
const shortDay = wallFormat({ weekday: 'short', month: 'short', day: 'numeric' })
/** `Tue, Mar 3, 2026` */
const shortDayOfYear = wallFormat({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })
const monthAndYear = wallFormat({ month: 'long', year: 'numeric' })
const daysOfYear = wallRangeFormat({ month: 'short', day: 'numeric', year: 'numeric' })

/** Returns a view's title: `March 2026`, `Mar 2 – 8, 2026`, `Tuesday, March 3, 2026`. */
export function viewTitle(view: CalendarView, date: Day): string {
  if (view === 'month') return monthAndYear(wallOf(date))
  if (view === 'day') return longDay(wallOf(date))
  const { first, end } = visibleDays(view, date)
  return daysOfYear(wallOf(first), wallOf(addDays(end, -1)))
}

/** Formats a time of day: `02:30`; with its offset if it occurs twice on that day: `02:30 (UTC+1)`. */
export function clockAt(zone: string, instant: number): string {
  const wall = wallTime(zone, instant)
  return occurrence(zone, wholeMinute(wall)) === 'twice'
    ? `${clock(wall)} (${offsetName(wall - instant)})`
    : clock(wall)
}

/**
 * Formats an instant: `Tue, Mar 3, 09:00`. Includes the year, `Tue, Mar 3, 2026, 09:00`, unless it and the `related`
 * instant, such as the event's end, are in the current year.
 */
export function momentText(zone: string, instant: number, related = instant, now = Date.now()): string {
  const years = new Set([instant, related, now].map(at => new Date(wallTime(zone, at)).getUTCFullYear()))
  const day = years.size === 1 ? shortDay : shortDayOfYear
  return `${day(wallTime(zone, instant))}, ${clockAt(zone, instant)}`
}

function offsetName(offset: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60 / msPerMinute), (Math.abs(offset) / msPerMinute) % 60]
  return `UTC${offset < 0 ? '−' : '+'}${hours}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''}`
}

/** Formats an event's times without days: `22:00 – 02:00`. An end at midnight is shown as `24:00`, or as `12:00 AM`. */
export function clockSpan(event: Span, zone: string): string {
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  if (end === start) return clockAt(zone, start)
  const isMidnight = wholeMinute(wallTime(zone, end)) % msPerDay === 0
  const ends = isMidnight && !hasTwelveHours() ? '24:00' : clockAt(zone, end)
  return `${clockAt(zone, start)} – ${ends}`
}

/** Formats the times of an event on a day after its first: `All day`, or `Until 02:00` on the last. */
export function laterDayText(event: Span, zone: string, day: Day): string {
  const end = Date.parse(event.end)
  const endsLater = day < daysOf(event, zone).last || wholeMinute(wallTime(zone, end)) % msPerDay === 0
  return endsLater ? 'All day' : `Until ${clockAt(zone, end)}`
}

/**
 * Formats an event's times: `09:00 – 10:00`; with days if it spans several: `Tue, Mar 3, 22:00 – Wed, Mar 4, 02:00`.
 */
export function spanText(event: Span, zone: string, now = Date.now()): string {
  const { first, last } = daysOf(event, zone)
  if (first === last) return clockSpan(event, zone)
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  return `${momentText(zone, start, end, now)} – ${momentText(zone, end, start, now)}`
}

/**
 * Returns a hint for a time field whose time occurs twice or never on its day because clocks change; otherwise undefined.
 * `text`: the typed text, or an ISO time in UTC.
 */
export function clockHint(zone: string, text: string): string | undefined {
  const instant = text.endsWith('Z') ? Date.parse(text) : undefined
  const wall = instant === undefined ? parseWallTime(text, '') : wholeMinute(wallTime(zone, instant))
  // A partly typed year is outside the calendar's years.
  if (wall === undefined || !inCalendar(dayAt(wall))) return undefined
  const occurrences = occurrence(zone, wall)
  const first = instantOf(zone, wall)
  if (occurrences === 'twice')
    return `${clock(wall)} occurs twice on this day, because clocks are put back. The ${(instant ?? first) < first + msPerMinute ? 'first' : 'second'} is used`
  return occurrences === 'never'
    ? `${clock(wall)} does not occur on this day, because clocks are put forward. ${clockAt(zone, first)} is used`
    : undefined
}

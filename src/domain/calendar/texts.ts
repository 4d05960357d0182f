/** How a calendar speaks of days and times; those of `calendarDays.ts`. */
import { instantOf, wallTime } from '../zone.ts'
import {
  addDays,
  dayAt,
  daysOf,
  inCalendar,
  minute,
  occurrence,
  shownDays,
  wallOf,
  wallTyped,
  wholeMinute,
  type Day,
  type Span,
} from './days.ts'
import type { CalendarView } from './views.ts'

const named = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en', { timeZone: 'UTC', hourCycle: 'h23', ...options })
  return (wall: number) => format.format(wall)
}
/** `09:00` */
export const clock = (wall: number): string => new Date(wall).toISOString().slice(11, 16)
/** `Tuesday, March 3, 2026` */
export const longDay = named({ dateStyle: 'full' })
/** `Tue, Mar 3` */
const shortDay = named({ weekday: 'short', month: 'short', day: 'numeric' })
/** `Tue, Mar 3, 2026` */
const shortDayOfYear = named({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })
const monthAndYear = named({ month: 'long', year: 'numeric' })
const dayOfYear = named({ month: 'short', day: 'numeric', year: 'numeric' })
const dayOfMonth = named({ month: 'short', day: 'numeric' })

/** What a view is called: `March 2026`, `Mar 2 – 8, 2026`, `Tuesday, March 3, 2026`. */
export function viewTitle(view: CalendarView, date: Day): string {
  if (view === 'month') return monthAndYear(wallOf(date))
  if (view === 'day') return longDay(wallOf(date))
  const { first, end } = shownDays(view, date)
  const [from, to] = [wallOf(first), wallOf(addDays(end, -1))]
  return first.slice(0, 4) === dayAt(to).slice(0, 4)
    ? `${dayOfMonth(from)} – ${dayOfYear(to)}`
    : `${dayOfYear(from)} – ${dayOfYear(to)}`
}

/** `02:30`, and where the clock shows it twice on that day, which of both: `02:30 (UTC+1)`. */
export function clockAt(zone: string, instant: number): string {
  const wall = wallTime(zone, instant)
  return occurrence(zone, wholeMinute(wall)) === 'twice'
    ? `${clock(wall)} (${offsetName(wall - instant)})`
    : clock(wall)
}

/**
 * `Tue, Mar 3, 09:00`; `Tue, Mar 3, 2026, 09:00` where it is not this year, or where the moment that it is told with,
 * such as the event's end, is not.
 */
export function momentText(zone: string, instant: number, toldWith = instant, now = Date.now()): string {
  const years = new Set([instant, toldWith, now].map(at => new Date(wallTime(zone, at)).getUTCFullYear()))
  const day = years.size === 1 ? shortDay : shortDayOfYear
  return `${day(wallTime(zone, instant))}, ${clockAt(zone, instant)}`
}

function offsetName(offset: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60 / minute), (Math.abs(offset) / minute) % 60]
  return `UTC${offset < 0 ? '−' : '+'}${hours}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''}`
}

/** `22:00 – 02:00`, whichever days they are on. The midnight that ends a day reads as its end. */
export function clockSpan(event: Span, zone: string): string {
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  if (end === start) return clockAt(zone, start)
  const ends = clock(wallTime(zone, end)) === '00:00' ? '24:00' : clockAt(zone, end)
  return `${clockAt(zone, start)} – ${ends}`
}

/** `09:00 – 10:00`, with the days where it is on several: `Tue, Mar 3, 22:00 – Wed, Mar 4, 02:00`. */
export function spanText(event: Span, zone: string, now = Date.now()): string {
  const { first, last } = daysOf(event, zone)
  if (first === last) return clockSpan(event, zone)
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  return `${momentText(zone, start, end, now)} – ${momentText(zone, end, start, now)}`
}

/**
 * What is meant by the time in a field, where clocks show that twice on its day, or never. `text` is what was typed, or
 * an ISO time in UTC as it is offered. Undefined where there is nothing to say.
 */
export function clockHint(zone: string, text: string): string | undefined {
  const instant = text.endsWith('Z') ? Date.parse(text) : undefined
  const wall = instant === undefined ? wallTyped(text, '') : wholeMinute(wallTime(zone, instant))
  // A year that is still being typed is one of long ago.
  if (wall === undefined || !inCalendar(dayAt(wall))) return undefined
  const shown = occurrence(zone, wall)
  const first = instantOf(zone, wall)
  if (shown === 'twice')
    return `Clocks show ${clock(wall)} twice on this day; the ${(instant ?? first) < first + minute ? 'first' : 'second'} is meant`
  return shown === 'never' ? `Clocks skip ${clock(wall)} on this day; ${clockAt(zone, first)} is meant` : undefined
}

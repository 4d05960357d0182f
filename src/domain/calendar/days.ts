/**
 * Days and times of a calendar as the clocks on the walls of a zone have them. A day is `YYYY-MM-DD`; an instant is
 * milliseconds UTC; a wall time is what a clock shows, written as if it were UTC (see `zone.ts`).
 */
import type { CalendarView } from './views.ts'
import { instantOf, wallTime } from '../zone.ts'

export type Day = string

export const minute = 60_000
const day = 86_400_000
/** Minutes between two slots in which a new event may begin. */
export const slotMinutes = 30
/** Minutes that a new event takes unless a person says otherwise. */
const usualMinutes = 60

export const wallOf = (date: Day, minutes = 0): number => Date.parse(`${date}T00:00Z`) + minutes * minute
export const dayAt = (wall: number): Day => new Date(wall).toISOString().slice(0, 10)
export const todayIn = (zone: string, now: number): Day => dayAt(wallTime(zone, now))

/** The years that the calendar goes through. */
export const calendarYears = { first: 1970, last: 2199 }
const [firstDay, lastDay] = [`${calendarYears.first}-01-01`, `${calendarYears.last}-12-31`]
export const inCalendar = (date: Day): boolean => firstDay <= date && date <= lastDay
/** The day, or the one nearest to it that the calendar goes to. */
export const boundedDay = (date: Day): Day => (date < firstDay ? firstDay : date > lastDay ? lastDay : date)

export const addDays = (date: Day, count: number): Day => dayAt(wallOf(date) + count * day)

/** As `Date.UTC`, which takes the years 0 to 99 for those of the twentieth century. */
const wallOfDate = (year: number, month: number, dayOfMonth: number) =>
  new Date(0).setUTCFullYear(year, month, dayOfMonth)

/** So many months later; the last day of a month where that has no such day. */
export function addMonths(date: Day, count: number): Day {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number)
  const days = new Date(wallOfDate(year, month + count, 0)).getUTCDate()
  return dayAt(wallOfDate(year, month - 1 + count, Math.min(dayOfMonth, days)))
}

/** The Monday of a day's week. */
export const weekStart = (date: Day): Day => addDays(date, -((new Date(wallOf(date)).getUTCDay() + 6) % 7))
export const monthStart = (date: Day): Day => `${date.slice(0, 7)}-01`

/** The days that a view shows with `date` in it; `end` is the first that it no longer shows. */
export function shownDays(view: CalendarView, date: Day): { first: Day; end: Day } {
  switch (view) {
    case 'month': {
      const first = monthStart(date)
      return { first: weekStart(first), end: addDays(weekStart(addDays(addMonths(first, 1), -1)), 7) }
    }
    case 'week':
      return { first: weekStart(date), end: addDays(weekStart(date), 7) }
    case 'day':
      return { first: date, end: addDays(date, 1) }
    case 'agenda':
      return { first: date, end: addMonths(date, 1) }
  }
}

/** The day that the view before or after this one stands at; the calendar's last is not gone beyond. */
export function stepped(view: CalendarView, date: Day, by: 1 | -1): Day {
  if (view === 'week') return boundedDay(addDays(date, 7 * by))
  return boundedDay(view === 'day' ? addDays(date, by) : addMonths(date, by))
}

/** The instant at which a day begins; where clocks are put forward at midnight, that is not at 00:00. */
export const startOfDay = (zone: string, date: Day): number => instantOf(zone, wallOf(date))

/** Whether a wall clock shows a time once, twice (clocks are put back over it) or never (they are put forward). */
export function occurrence(zone: string, wall: number): 'once' | 'twice' | 'never' {
  // The offsets in force well before and well after: there is at most one change between them.
  const offsets = new Set([wall - day, wall + day].map(instant => wallTime(zone, instant) - instant))
  const shown = [...offsets].filter(offset => wallTime(zone, wall - offset) === wall).length
  return shown === 0 ? 'never' : shown === 1 ? 'once' : 'twice'
}

/** An event's ends: ISO times. */
export interface Span {
  readonly start: string
  readonly end: string
}

/** The days an event is on. Midnight belongs to the day that it ends, unless that is all there is. */
export function daysOf(event: Span, zone: string): { first: Day; last: Day } {
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  return { first: dayAt(wallTime(zone, start)), last: dayAt(wallTime(zone, end > start ? end - 1 : end)) }
}

/** Every day from the first on to the last, but no more than lie between `from` and `end`. */
export function daysBetween(first: Day, last: Day, from: Day, end: Day): Day[] {
  const days: Day[] = []
  const stop = Math.min(wallOf(last) + day, wallOf(end))
  for (let wall = Math.max(wallOf(first), wallOf(from)); wall < stop; wall += day) days.push(dayAt(wall))
  return days
}

/** A stretch of wall time, of whole minutes, never backwards. */
export interface Drawn {
  readonly from: number
  readonly to: number
}

const minDrawn = 30 * minute
export const wholeMinute = (wall: number) => Math.floor(wall / minute) * minute
/** The last minute of the day that a wall time is in. */
const lastMinute = (wall: number) => wallOf(dayAt(wall)) + day - minute

/**
 * Where an event is drawn on a clock's face. An event that ends at midnight ends with the day before. One that takes
 * less than half an hour on that face, or seems to go backwards because clocks are put back in it, is drawn so long
 * that it can be read, if its day goes on.
 */
export function drawn(event: Span, zone: string): Drawn {
  const start = Date.parse(event.start)
  const from = wholeMinute(wallTime(zone, start))
  const to = wholeMinute(wallTime(zone, Math.max(start, Date.parse(event.end))))
  if (to < from + minDrawn) return { from, to: Math.min(from + minDrawn, lastMinute(from)) }
  return { from, to: to % day === 0 ? to - minute : to }
}

/** The stretch day by day, where it crosses midnight and is shorter than a day; else as it is. */
export function perDay({ from, to }: Drawn): readonly Drawn[] {
  if (dayAt(from) === dayAt(to) || to - from >= day) return [{ from, to }]
  return [
    { from, to: lastMinute(from) },
    { from: wallOf(dayAt(to)), to },
  ]
}

/** `2026-03-29T02:30`: an instant as a clock shows it, as a field for date and time holds it. */
export const localText = (zone: string, instant: number): string =>
  new Date(wallTime(zone, instant)).toISOString().slice(0, 16)

const typed = /^(?:(\d{4}-\d{2}-\d{2})|(today|tomorrow))?[T ]*(\d{1,2})[:.](\d{2})$/i

/**
 * What a person typed for a time, as a wall time: `2026-03-29 02:30`, `tomorrow 9:00`, `9:00` (today). Undefined
 * where it is none.
 */
export function wallTyped(text: string, today: Day): number | undefined {
  const [, date, word, hours, minutes] = typed.exec(text.trim()) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const on = date ?? (word?.toLowerCase() === 'tomorrow' ? addDays(today, 1) : today)
  const wall = wallOf(on, Number(hours) * 60 + Number(minutes))
  // A day that is not in the calendar, such as the thirtieth of February, is some other day or none.
  return Number.isNaN(wall) || dayAt(wall) !== on ? undefined : wall
}

/**
 * The times of an event that a person begins at a day (then at nine) or at a slot of it. It takes an hour, whatever
 * the zone's clocks do meanwhile.
 */
export function newEventAt(zone: string, date: Day, minutes = 9 * 60): Span {
  const start = instantOf(zone, wallOf(date, minutes))
  return { start: new Date(start).toISOString(), end: new Date(start + usualMinutes * minute).toISOString() }
}

/**
 * Calendar days and times in a time zone. A day is `YYYY-MM-DD`; an instant is milliseconds UTC; a wall time is the local
 * time in milliseconds as if it were UTC (see `zone.ts`).
 */
import type { CalendarView } from './views.ts'
import { instantOf, wallTime } from '../zone.ts'
import { msPerDay, msPerMinute } from '../time.ts'

export type Day = string

/** Minutes between two slots at which a new event can start. */
export const slotMinutes = 30
/** The default duration of a new event in minutes. */
const defaultMinutes = 60

export const wallOf = (date: Day, minutes = 0): number => Date.parse(`${date}T00:00Z`) + minutes * msPerMinute
export const dayAt = (wall: number): Day => new Date(wall).toISOString().slice(0, 10)
export const todayIn = (zone: string, now: number): Day => dayAt(wallTime(zone, now))

/** The years that the calendar covers. */
export const calendarYears = { first: 1970, last: 2199 }
const [firstDay, lastDay] = [`${calendarYears.first}-01-01`, `${calendarYears.last}-12-31`]
export const inCalendar = (date: Day): boolean => firstDay <= date && date <= lastDay
/** Returns the day, or the nearest day that the calendar covers. */
export const clampDay = (date: Day): Day => (date < firstDay ? firstDay : date > lastDay ? lastDay : date)

export const addDays = (date: Day, count: number): Day => dayAt(wallOf(date) + count * msPerDay)

/** Like `Date.UTC`, which maps the years 0 to 99 to 1900 to 1999. */
const wallOfDate = (year: number, month: number, dayOfMonth: number) =>
  new Date(0).setUTCFullYear(year, month, dayOfMonth)

/** Adds months; a day that the resulting month does not have becomes its last day. */
export function addMonths(date: Day, count: number): Day {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number)
  const days = new Date(wallOfDate(year, month + count, 0)).getUTCDate()
  return dayAt(wallOfDate(year, month - 1 + count, Math.min(dayOfMonth, days)))
}

/** Returns the Monday of a day's week. */
export const weekStart = (date: Day): Day => addDays(date, -((new Date(wallOf(date)).getUTCDay() + 6) % 7))
export const monthStart = (date: Day): Day => `${date.slice(0, 7)}-01`

/** Returns the days that a view of `date` shows; `end` is exclusive. */
export function visibleDays(view: CalendarView, date: Day): { first: Day; end: Day } {
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

/** Returns the date of the previous or next view, limited to the days that the calendar covers. */
export function adjacentDate(view: CalendarView, date: Day, by: 1 | -1): Day {
  if (view === 'week') return clampDay(addDays(date, 7 * by))
  return clampDay(view === 'day' ? addDays(date, by) : addMonths(date, by))
}

/** Returns the instant at which a day starts; not at 00:00 if clocks are put forward at midnight. */
export const startOfDay = (zone: string, date: Day): number => instantOf(zone, wallOf(date))

/**
 * Returns how often a wall time occurs: twice if clocks are put back over it, never if they are put forward over it.
 */
export function occurrence(zone: string, wall: number): 'once' | 'twice' | 'never' {
  // The offsets of the day before and the day after: offsets change at most once in between.
  const offsets = new Set([wall - msPerDay, wall + msPerDay].map(instant => wallTime(zone, instant) - instant))
  const occurrences = [...offsets].filter(offset => wallTime(zone, wall - offset) === wall).length
  return occurrences === 0 ? 'never' : occurrences === 1 ? 'once' : 'twice'
}

/** An event's start and end as ISO times. */
export interface Span {
  readonly start: string
  readonly end: string
}

/**
 * Returns an event's first and last day. An end at midnight belongs to the day before, unless the event has no
 * duration.
 */
export function daysOf(event: Span, zone: string): { first: Day; last: Day } {
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  return { first: dayAt(wallTime(zone, start)), last: dayAt(wallTime(zone, end > start ? end - 1 : end)) }
}

/** Returns every day from `first` to `last`, limited to those from `from` until before `end`. */
export function daysBetween(first: Day, last: Day, from: Day, end: Day): Day[] {
  const days: Day[] = []
  const stop = Math.min(wallOf(last) + msPerDay, wallOf(end))
  for (let wall = Math.max(wallOf(first), wallOf(from)); wall < stop; wall += msPerDay) days.push(dayAt(wall))
  return days
}

/** A span of wall time in whole minutes; `to` is never before `from`. */
export interface WallSpan {
  readonly from: number
  readonly to: number
}

const minLayoutSpan = 30 * msPerMinute
export const wholeMinute = (wall: number) => Math.floor(wall / msPerMinute) * msPerMinute
/** Returns the last minute of a wall time's day. */
const lastMinute = (wall: number) => wallOf(dayAt(wall)) + msPerDay - msPerMinute

/**
 * Returns the span in which an event is drawn. An end at midnight is drawn at the end of the day before. An event shorter
 * than half an hour, or whose local end precedes its start because clocks are put back, is drawn half an hour long so
 * that its title is readable, but not beyond its day.
 */
export function layoutSpan(event: Span, zone: string): WallSpan {
  const start = Date.parse(event.start)
  const from = wholeMinute(wallTime(zone, start))
  const to = wholeMinute(wallTime(zone, Math.max(start, Date.parse(event.end))))
  if (to < from + minLayoutSpan) return { from, to: Math.min(from + minLayoutSpan, lastMinute(from)) }
  return { from, to: to % msPerDay === 0 ? to - msPerMinute : to }
}

/** Splits a span that crosses midnight and is shorter than a day into its days; returns other spans unchanged. */
export function splitByDay({ from, to }: WallSpan): readonly WallSpan[] {
  if (dayAt(from) === dayAt(to) || to - from >= msPerDay) return [{ from, to }]
  return [
    { from, to: lastMinute(from) },
    { from: wallOf(dayAt(to)), to },
  ]
}

/** Formats an instant for a `datetime-local` field: `2026-03-29T02:30`. */
export const localText = (zone: string, instant: number): string =>
  new Date(wallTime(zone, instant)).toISOString().slice(0, 16)

const wallTimePattern = /^(?:(\d{4}-\d{2}-\d{2})|(today|tomorrow))?[T ]*(\d{1,2})[:.](\d{2})$/i

/**
 * Parses a typed time, `2026-03-29 02:30`, `tomorrow 9:00` or `9:00` (today), as a wall time; undefined if it is
 * invalid.
 */
export function parseWallTime(text: string, today: Day): number | undefined {
  const [, date, word, hours, minutes] = wallTimePattern.exec(text.trim()) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const day = date ?? (word?.toLowerCase() === 'tomorrow' ? addDays(today, 1) : today)
  const wall = wallOf(day, Number(hours) * 60 + Number(minutes))
  // A date that does not exist, such as February 30, parses as another day or not at all.
  return Number.isNaN(wall) || dayAt(wall) !== day ? undefined : wall
}

/**
 * Returns the times of a new event on a day, at 09:00 or at a slot. It lasts one hour, even when clocks change in it.
 */
export function newEventAt(zone: string, date: Day, minutes = 9 * 60): Span {
  const start = instantOf(zone, wallOf(date, minutes))
  return { start: new Date(start).toISOString(), end: new Date(start + defaultMinutes * msPerMinute).toISOString() }
}

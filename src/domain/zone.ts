/**
 * Wall-clock time in time zones. Zones are IANA names; instants are milliseconds UTC; a wall time is the local time,
 * in milliseconds as if it were UTC.
 */
import { msPerDay, msPerMinute } from './time.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
/** As many as there are zones. Names are valid in upper and lower case, so a caller can spell a zone in thousands of ways. */
const maxFormats = 500
function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone)
  if (cached) return cached
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= maxFormats) formats.clear()
  formats.set(zone, format)
  return format
}

/** Returns the wall time of an instant, with which local days and hours can be calculated as if it were UTC. */
export function wallTime(zone: string, instant: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(part => [part.type, Number(part.value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  // `Date.UTC` maps the years 0 to 99 to 1900 to 1999.
  const date = new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'))
  const seconds = date + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000
  return seconds + (((instant % 1000) + 1000) % 1000)
}

/** Returns the first instant with a wall time; if clocks skip that time, the instant at which they are put forward. */
export function instantOf(zone: string, wall: number): number {
  const offset = (instant: number) => wallTime(zone, instant) - instant
  // The offset is that of the day before or of the day after: offsets change at most once in between.
  const early = wall - offset(wall - msPerDay)
  const late = wall - offset(wall + msPerDay)
  const match = [Math.min(early, late), Math.max(early, late)].find(instant => wallTime(zone, instant) === wall)
  return match ?? early
}

/** Returns the weekday of a wall time, from 1, Monday, to 7, Sunday. */
export const weekdayOf = (wall: number): number => new Date(wall).getUTCDay() || 7

/** Returns the wall time at which a wall time's day starts. */
export const dayOf = (wall: number): number => Math.floor(wall / msPerDay) * msPerDay

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')

/** Formats a wall time as ISO 8601 to the second. `offset`: milliseconds east of UTC. */
export function isoWithOffset(wall: number, offset: number): string {
  const local = new Date(wall).toISOString().slice(0, 19)
  const minutes = Math.abs(offset) / msPerMinute
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`
}

/** Offsets by zone and UTC day; undefined if the offset changes during the day. */
const offsets = new Map<string, Map<number, number | undefined>>()

/** Returns a zone's UTC offset in milliseconds. Cached by day, as only two days a year have more than one offset. */
function offsetIn(zone: string, instant: number): number {
  const ofZone = offsets.get(zone) ?? new Map<number, number | undefined>()
  offsets.set(zone, ofZone)
  const date = Math.floor(instant / msPerDay)
  if (!ofZone.has(date)) {
    const [begin, end] = [date, date + 1].map(at => wallTime(zone, at * msPerDay) - at * msPerDay)
    ofZone.set(date, begin === end ? begin : undefined)
  }
  return ofZone.get(date) ?? wallTime(zone, instant) - instant
}

/** Formats an instant in a zone as ISO 8601 to the second, with its offset: `2026-11-20T17:35:12+01:00`. */
export function isoIn(zone: string, instant: number): string {
  const second = Math.floor(instant / 1000) * 1000
  const offset = offsetIn(zone, second)
  return isoWithOffset(second + offset, offset)
}

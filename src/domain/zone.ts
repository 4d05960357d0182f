/** Days of a time zone, as the clocks on its walls have them. Zones are IANA names; instants are milliseconds UTC. */

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
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
  formats.set(zone, made)
  return made
}

/** What a wall clock shows, written as if it were UTC: so that days and hours can be counted on it. */
export function wallTime(zone: string, instant: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(part => [part.type, Number(part.value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  // Not `Date.UTC`, which takes the years 0 to 99 for those of the twentieth century.
  const date = new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'))
  const seconds = date + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000
  return seconds + (((instant % 1000) + 1000) % 1000)
}

const day = 86_400_000

/**
 * The first instant at which a wall clock shows the time; where clocks are put forward over it, the instant at
 * which they are.
 */
export function instantOf(zone: string, wall: number): number {
  const offset = (instant: number) => wallTime(zone, instant) - instant
  // The offsets in force well before and well after: with one change between them, one of the two holds.
  const early = wall - offset(wall - day)
  const late = wall - offset(wall + day)
  const shown = [Math.min(early, late), Math.max(early, late)].find(instant => wallTime(zone, instant) === wall)
  return shown ?? early
}

/** The wall time at which the day of a wall time begins. */
export const dayOf = (wall: number): number => Math.floor(wall / day) * day

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')

/** A wall time as ISO 8601, to the second, with its offset, milliseconds east of UTC. */
export function isoOf(wall: number, offset: number): string {
  const local = new Date(wall).toISOString().slice(0, 19)
  const minutes = Math.abs(offset) / 60_000
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`
}

/** By zone and day (UTC): its offset; undefined where clocks change in it. */
const offsets = new Map<string, Map<number, number | undefined>>()

/** Milliseconds by which a wall clock is ahead of UTC; quick, because days have one offset but for two in a year. */
function offsetIn(zone: string, instant: number): number {
  const ofZone = offsets.get(zone) ?? new Map<number, number | undefined>()
  offsets.set(zone, ofZone)
  const date = Math.floor(instant / day)
  if (!ofZone.has(date)) {
    const [begin, end] = [date, date + 1].map(at => wallTime(zone, at * day) - at * day)
    ofZone.set(date, begin === end ? begin : undefined)
  }
  return ofZone.get(date) ?? wallTime(zone, instant) - instant
}

/** What a wall clock shows at an instant, to the second, with its offset from UTC: `2026-11-20T17:35:12+01:00`. */
export function isoIn(zone: string, instant: number): string {
  const second = Math.floor(instant / 1000) * 1000
  const offset = offsetIn(zone, second)
  return isoOf(second + offset, offset)
}

/** Moments and durations as a person types them: `03:00`, `tomorrow 8:00`, `monday`, `2 hours`, `30d`. */
import { addDays, dayAt, parseWallTime, todayIn, wallOf, type Day } from '../../domain/calendar/days.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { msPerDay, msPerMinute } from '../../domain/time.ts'
import { instantOf, wallTime, weekdayOf } from '../../domain/zone.ts'

/** The days of a week as they are typed, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const dayPattern = /^(?:today|tomorrow|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)$/i

/** Whether a word names a day: `tomorrow`, `mon` or `monday`. */
export const isDayName = (word: string): boolean => dayPattern.test(word)

const minutesOf: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 }

/** Returns the minutes of `30min`, `2h`, `7d` or `2 hours`. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+) ?(m|min|minutes?|h|hours?|d|days?)$/i.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * minutesOf[unit.toLowerCase().charAt(0)]!
}

/** Returns minutes as `30min`, `2h` or `7d`. */
export function durationWord(minutes: number): string {
  if (minutes > 0 && minutes % minutesOf['d']! === 0) return `${minutes / minutesOf['d']!}d`
  return minutes > 0 && minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}min`
}

/** Returns `2` or `02:30` as `02:30`. */
export function parseClock(text: string | undefined): string | undefined {
  const [, hour, minute = '00'] = /^(\d{1,2})(?::(\d{2}))?$/.exec(text ?? '') ?? []
  return hour === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}`
}

/** The time of a day that is named without one. */
const defaultClock = '09:00'

/**
 * Returns a moment as ISO 8601: the next time at which clocks show `03:00`, that of `2026-12-01 03:00` or `tomorrow 03:00`, the next
 * `monday 03:00`, a day at 09:00, or so much later than now, as `2h`. Undefined for other texts.
 */
export function parseMoment(text: string, now: number): string | undefined {
  if (text.endsWith('Z') && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString()
  const minutes = parseDuration(text)
  if (minutes !== undefined) return new Date(now + minutes * msPerMinute).toISOString()
  const zone = systemTimeZone()
  const today = todayIn(zone, now)
  const [day = '', ...time] = text.split(' ').filter((word, index) => index === 0 || word.toLowerCase() !== 'at')
  if (!isDayName(day))
    return nextMoment([day, ...time].join(' '), {
      zone,
      today,
      now,
      daysBetween: parseClock(text) === undefined ? 0 : 1,
    })
  const clock = time.join(' ') || defaultClock
  const weekday = weekdays.indexOf(day.toLowerCase().slice(0, 3))
  if (weekday < 0) return nextMoment(`${day} ${clock}`, { zone, today, now, daysBetween: 0 })
  const ahead = (weekday + 1 - weekdayOf(wallOf(today)) + 7) % 7
  return nextMoment(`${addDays(today, ahead)} ${clock}`, { zone, today, now, daysBetween: 7 })
}

/** Returns a wall time as ISO 8601; so many days later if it is over. */
function nextMoment(
  text: string,
  { zone, today, now, daysBetween }: { zone: string; today: Day; now: number; daysBetween: number },
): string | undefined {
  const wall = parseWallTime(text, today)
  if (wall === undefined) return undefined
  const instant = instantOf(zone, wall)
  return new Date(instant <= now ? instantOf(zone, wall + daysBetween * msPerDay) : instant).toISOString()
}

/** Returns the end of the day that is so many days from now, or of a day or date, or a moment, as ISO 8601. */
export function parseEnd(text: string, now: number): string | undefined {
  const zone = systemTimeZone()
  const lastDay = parseDay(text, { zone, now })
  return lastDay === undefined
    ? parseMoment(text, now)
    : new Date(instantOf(zone, wallOf(addDays(lastDay, 1)))).toISOString()
}

/** Returns the day of `30d`, `30 days`, `2026-12-31` or `friday`; undefined for other texts. */
function parseDay(text: string, { zone, now }: { zone: string; now: number }): Day | undefined {
  const today = todayIn(zone, now)
  const [, inDays] = /^(\d{1,4}) ?d(?:ays?)?$/i.exec(text) ?? []
  if (inDays !== undefined) return addDays(today, Number(inDays))
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return parseWallTime(`${text} 0:00`, today) === undefined ? undefined : text
  const moment = isDayName(text) ? parseMoment(text, now) : undefined
  return moment === undefined ? undefined : todayIn(zone, Date.parse(moment))
}

/** Returns the date that ends at a moment, as `2026-12-31`; a moment within a day as ISO 8601. */
export function formatEnd(until: string): string {
  const wall = wallTime(systemTimeZone(), Date.parse(until))
  return wall % msPerDay === 0 ? dayAt(wall - msPerDay) : until
}

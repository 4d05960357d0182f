/**
 * Formats dates and times in the browser's language: its order, names, and 12 or 24 hours. The only place that chooses
 * these, so that they are alike everywhere. Numbers and other texts are in English.
 */
import { msPerHour } from './time.ts'

const language = (): string => globalThis.navigator?.language ?? 'en'

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language()} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language(), options)
  formats.set(key, format)
  return format
}

/** Replaces the narrow spaces that browsers put into times and ranges, and which some fonts lack. */
const withPlainSpaces = (text: string): string => text.replace(/[\u2009\u202F]/g, ' ')

/** Returns a function that formats an instant (milliseconds UTC) in a time zone; by default the browser's. */
export const dateFormat =
  (options: Intl.DateTimeFormatOptions) =>
  (at: number, timeZone?: string): string =>
    withPlainSpaces(formatOf(timeZone === undefined ? options : { ...options, timeZone }).format(at))

/** Returns a function that formats a wall time. */
export const wallFormat = (options: Intl.DateTimeFormatOptions) => dateFormat({ ...options, timeZone: 'UTC' })

/** Returns a function that formats the days from one wall time to another, in the shortest form: `Mar 2 – 8, 2026`. */
export const wallRangeFormat =
  (options: Intl.DateTimeFormatOptions) =>
  (from: number, to: number): string =>
    withPlainSpaces(formatOf({ ...options, timeZone: 'UTC' }).formatRange(from, to))

/** Returns whether the language counts twelve hours twice a day. */
export const hasTwelveHours = (): boolean =>
  /^h1[12]$/.test(formatOf({ timeStyle: 'short' }).resolvedOptions().hourCycle ?? '')

/** Formats the time of day of a wall time: `14:20`, or `2:20 PM`. */
export const timeOfDay = wallFormat({ timeStyle: 'short' })

/** Formats a full hour of a wall time as short as possible: `14:00`, or `2 PM`. */
export const hourOfDay = (wall: number): string => (hasTwelveHours() ? shortHour : timeOfDay)(wall)
const shortHour = wallFormat({ hour: 'numeric' })

/** Formats the time of day of a wall time as short as possible: `14:20`, or `2:20 PM` and `2 PM`. */
export const shortTimeOfDay = (wall: number): string => (wall % msPerHour === 0 ? hourOfDay : timeOfDay)(wall)

/** Returns the browser's language and region as `en-GB`; British English if it has no such form. */
export function languageAndRegion(): string {
  const { language: name, region } = new Intl.Locale(language()).maximize()
  return /^[a-z]{2}$/.test(name) && /^[A-Z]{2}$/.test(region ?? '') ? `${name}-${region}` : 'en-GB'
}

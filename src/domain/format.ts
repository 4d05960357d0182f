/** Formats values for display. */
import { dateFormat } from './dates.ts'
import { unitOf, type Quantity, type UnitChoice } from './units.ts'
import { msPerDay, msPerHour, msPerMinute } from './time.ts'

/** Displayed for a missing reading. */
export const noValue = '–'

/**
 * Formats a number with thousands separators and exactly `digits` decimal places, as `Intl.NumberFormat('en')` does. Without
 * it, because its first use takes longer than drawing the first rows.
 */
export function formatNumber(value: number, digits = 0): string {
  // 1.45 is stored as a little less than that and is to become 1.5.
  const [whole = '', ...fraction] = (value * (1 + Number.EPSILON)).toFixed(digits).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/** Formats an amount, given in the base unit, in the chosen unit without its symbol. */
export function formatAmount(value: number | null, quantity: Quantity, choice: UnitChoice): string {
  if (value === null) return noValue
  const unit = unitOf(quantity, choice)
  const converted = unit.fromBase(value)
  // Thousands of litres need no tenths.
  return formatNumber(converted, Math.abs(converted) >= 1000 ? 0 : unit.digits)
}

export const formatPercent = (value: number | null): string => (value === null ? noValue : formatNumber(value, 1))

/**
 * Formats an amount for an input field: no separators and no trailing zeros. Small amounts keep five decimal places,
 * because a field with a list of numbers sends all of them again when one is changed.
 */
export function formatForInput(value: number, quantity: Quantity, choice: UnitChoice): string {
  const converted = unitOf(quantity, choice).fromBase(value)
  return String(Number(converted.toFixed(Math.abs(converted) < 0.1 ? 5 : 3)))
}

/** Formats the time passed since an ISO time: `now`, `14 s`, `3 min`, `5 h`, `12 d`; `never` for null. */
export function formatElapsed(time: string | null, now: number): string {
  if (time === null) return 'never'
  const passed = Math.max(0, now - Date.parse(time))
  if (passed < 2000) return 'now'
  if (passed < msPerMinute) return `${Math.floor(passed / 1000)} s`
  if (passed < msPerHour) return `${Math.floor(passed / msPerMinute)} min`
  if (passed < 48 * msPerHour) return `${Math.floor(passed / msPerHour)} h`
  return `${Math.floor(passed / msPerDay)} d`
}

/** Formats an ISO time relative to now: `just now`, `14 s ago`. */
export function formatTimeAgo(time: string, now: number): string {
  const passed = formatElapsed(time, now)
  return passed === 'now' ? 'just now' : `${passed} ago`
}

const date = dateFormat({ dateStyle: 'medium' })
const dateTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
const time = dateFormat({ timeStyle: 'short' })
export const formatDate = (at: string): string => date(Date.parse(at))
/** Formats a calendar day, given as its midnight in UTC: the same day in every time zone. */
export const formatDay = (at: string): string => date(Date.parse(at), 'UTC')
export const formatDateTime = (at: string): string => dateTime(Date.parse(at))
export const formatTime = (at: string): string => time(Date.parse(at))
/** Formats the time of day of an instant (milliseconds UTC) in a zone. */
export const formatTimeIn = (zone: string, at: number): string => time(at, zone)

/** Returns how many rows a search finds: `180,000`, or `≈ 180,000` if it is an estimate. */
export const formatMatches = (count: number, isEstimate = false): string =>
  (isEstimate ? '≈ ' : '') + formatNumber(count)

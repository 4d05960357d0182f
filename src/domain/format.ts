/** Values as a person reads them. */
import { unitOf, type Quantity, type UnitChoice } from './units.ts'

/** Nothing was read. */
export const missing = '–'

const formats = new Map<number, Intl.NumberFormat>()
/** With thousands separators and exactly so many decimal places. */
export function toFixed(value: number, digits: number): string {
  const format =
    formats.get(digits) ?? new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  formats.set(digits, format)
  return format.format(value)
}

/** An amount in the base unit, shown in the chosen one, without its symbol. */
export function amount(value: number | null, quantity: Quantity, choice: UnitChoice): string {
  if (value === null) return missing
  const unit = unitOf(quantity, choice)
  const shown = unit.fromBase(value)
  // Thousands of litres need no tenths.
  return toFixed(shown, Math.abs(shown) >= 1000 ? 0 : unit.digits)
}

export const percent = (value: number | null): string => (value === null ? missing : toFixed(value, 1))

/**
 * An amount as it stands in a field: no separators, no zeros at the end, so that it can be typed over. Small ones keep
 * more places: those of a list are sent again, although only one of them was changed.
 */
export function editable(value: number, quantity: Quantity, choice: UnitChoice): string {
  const shown = unitOf(quantity, choice).fromBase(value)
  return String(Number(shown.toFixed(Math.abs(shown) < 0.1 ? 5 : 3)))
}

const minute = 60_000
/** `now`, `14 s`, `3 min`, `5 h`, `12 d`: how long ago; `never` where it never was. */
export function ago(time: string | null, now: number): string {
  if (time === null) return 'never'
  const passed = Math.max(0, now - Date.parse(time))
  if (passed < 2000) return 'now'
  if (passed < minute) return `${Math.floor(passed / 1000)} s`
  if (passed < 60 * minute) return `${Math.floor(passed / minute)} min`
  if (passed < 48 * 60 * minute) return `${Math.floor(passed / (60 * minute))} h`
  return `${Math.floor(passed / (24 * 60 * minute))} d`
}

/** The same as a person says it: `just now`, `14 s ago`. */
export function agoSaid(time: string, now: number): string {
  const passed = ago(time, now)
  return passed === 'now' ? 'just now' : `${passed} ago`
}

const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
// Hours are counted to 24 wherever times are shown.
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
const time = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23' })
export const shortDate = (at: string): string => date.format(Date.parse(at))
export const shortDateTime = (at: string): string => dateTime.format(Date.parse(at))
export const shortTime = (at: string): string => time.format(Date.parse(at))

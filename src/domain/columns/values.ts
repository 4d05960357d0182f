/** Reads and formats the values of columns. */
import { formatElapsed, formatAmount, noValue, formatDate, formatDay, formatDateTime, formatNumber } from '../format.ts'
import type { UnitChoice } from '../units.ts'
import type { Column } from './column.ts'

export type Value = string | number | boolean | null

/** Returns a function that reads a column's value from a row, or an array of values if the path contains an array. */
export function valueReader(id: string, { path = id }: Column): (row: unknown) => Value | readonly Value[] {
  const keys = path.split('.')
  // The types of the contract check that each path leads to a value.
  return row => keys.reduce(step, row) as Value | readonly Value[]
}

function step(from: unknown, key: string): unknown {
  if (Array.isArray(from) && !(key in from)) return /^\d/.test(key) ? null : from.map(one => step(one, key))
  return (from as Readonly<Record<string, unknown>> | null)?.[key] ?? null
}

const flagNames: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' }

/** Returns the name of a value, or undefined if it has none. */
export function nameOf(column: Column, value: Value): string | undefined {
  const names = column.kind === 'choice' ? column.names : column.kind === 'flag' ? flagNames : column.valueNames
  return (names as Readonly<Record<string, string>> | undefined)?.[String(value)]
}

/** Formats a value for a list, without its unit. */
export function textOf(column: Column, value: Value | readonly Value[], units: UnitChoice): string {
  if (isList(value)) return value.map(one => textOf(column, one, units)).join(', ')
  const { kind, quantity, digits, timeFormat, none = noValue } = column
  if (kind === 'time' && timeFormat === 'ago') return formatElapsed(value as string | null, Date.now())
  if (value === null) return none
  if (kind === 'time') {
    const format = timeFormat === 'day' ? formatDay : timeFormat === 'date' ? formatDate : formatDateTime
    return format(String(value))
  }
  if (quantity) return formatAmount(Number(value), quantity, units)
  if (digits !== undefined) return formatNumber(Number(value), digits)
  return nameOf(column, value) ?? String(value)
}

export const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value)

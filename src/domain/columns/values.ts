/** The values of columns: where a row has them, and as text. */
import { ago, amount, missing, shortDate, shortDateTime, toFixed } from '../format.ts'
import type { UnitChoice } from '../units.ts'
import type { Column } from './column.ts'

export type Value = string | number | boolean | null

/** The reader of a column's value, or of its values where the path leads through a list. */
export function valueReader(id: string, { path = id }: Column): (row: unknown) => Value | readonly Value[] {
  const keys = path.split('.')
  // The contract checks that each path leads from its rows to a value.
  return row => keys.reduce(step, row) as Value | readonly Value[]
}

function step(from: unknown, key: string): unknown {
  if (Array.isArray(from) && !(key in from)) return /^\d/.test(key) ? null : from.map(one => step(one, key))
  return (from as Readonly<Record<string, unknown>> | null)?.[key] ?? null
}

const flagNames: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' }

/** The name of a value that has one. */
export function nameOf(column: Column, value: Value): string | undefined {
  const names = column.kind === 'choice' ? column.names : column.kind === 'flag' ? flagNames : column.valueNames
  return (names as Readonly<Record<string, string>> | undefined)?.[String(value)]
}

/** A value as a list shows it, without its unit. */
export function textOf(column: Column, value: Value | readonly Value[], units: UnitChoice): string {
  if (isList(value)) return value.map(one => textOf(column, one, units)).join(', ')
  const { kind, quantity, digits, shownAs, none = missing } = column
  if (kind === 'time' && shownAs === 'ago') return ago(value as string | null, Date.now())
  if (value === null) return none
  if (kind === 'time') return (shownAs === 'date' ? shortDate : shortDateTime)(String(value))
  if (quantity) return amount(Number(value), quantity, units)
  if (digits !== undefined) return toFixed(Number(value), digits)
  return nameOf(column, value) ?? String(value)
}

export const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value)

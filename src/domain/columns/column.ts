/**
 * The definition of a list column. The list, its side panel, search, units, exports and the server's sort and search are
 * derived from it; a screen defines only the cells that are more than text.
 */
import type { Quantity } from '../units.ts'

export type Names = Readonly<Record<string | number, string>> | readonly string[]

/**
 * The type of a column's values, which determines how a search text is compared. Every operator works on every kind:
 * `co`, `sw` and `ew` compare the value's text (a number's digits, a status's name, an ISO time), the others compare
 * values.
 */
export type ColumnKind =
  | { readonly kind: 'text' | 'number' | 'time' | 'flag' }
  | { readonly kind: 'choice'; readonly names: Names }

interface Presentation {
  readonly label: string
  /** A shorter heading, if the label is too long for the column. */
  readonly short?: string
  /** Pixels. */
  readonly width: number
  /** The property path from a row to the value, with dots; the column's id by default. Arrays yield all values. */
  readonly path?: string
  /** A fixed unit. */
  readonly unit?: string
  /** The quantity of the numbers, which are shown, searched and exported in the chosen unit. */
  readonly quantity?: Quantity
  /** Decimal places; by default all that a number has. */
  readonly digits?: number
  /** Texts of values that are searched as numbers. */
  readonly valueNames?: Names
  /** The text of a missing value, if it has a meaning. */
  readonly none?: string
  /**
   * The format of a time: its date, or the time passed since; date and minute by default. `day`: a calendar day, given as
   * its midnight in UTC.
   */
  readonly timeFormat?: 'date' | 'day' | 'ago'
  /** `end` by default for numbers. */
  readonly align?: 'start' | 'end'
  /** Hidden by default. */
  readonly hidden?: true
  /** `false`: the list cannot be searched or sorted by it. */
  readonly searchable?: false
}

export type Column = ColumnKind & Presentation
export type Columns = Readonly<Record<string, Column>>

type Searchable<C extends Columns> = {
  readonly [Id in keyof C as C[Id] extends { readonly searchable: false } ? never : Id]: C[Id]
}

/** Returns the columns that a list can be searched and sorted by. */
export const searchableColumns = <C extends Columns>(columns: C): Searchable<C> =>
  Object.fromEntries(Object.entries(columns).filter(([, column]) => column.searchable !== false)) as Searchable<C>

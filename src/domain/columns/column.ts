/**
 * A column of a list, written once. The list and its side panel, the search, units, exports and the server's order and
 * search follow from it; a screen adds only cells that are more than text.
 */
import type { Quantity } from '../units.ts'

export type Names = Readonly<Record<string | number, string>> | readonly string[]

/**
 * What a column holds, which decides how a search text is compared. Every operator works on every kind:
 * `co`, `sw` and `ew` compare what the value reads as (a number's digits, a status's name, an ISO time),
 * the others compare values.
 */
export type ColumnKind =
  { readonly kind: 'text' | 'number' | 'time' | 'flag' } | { readonly kind: 'choice'; readonly names: Names }

interface Presentation {
  readonly label: string
  /** Heads the column in place of the label where that is too long for it. */
  readonly short?: string
  /** Pixels. */
  readonly width: number
  /** Keys that lead from a row to the value, with dots between them; the column's id by default. Of a list, all values. */
  readonly path?: string
  /** A unit that nobody chooses. */
  readonly unit?: string
  /** What the numbers measure: they are shown, searched by and exported in the chosen unit. */
  readonly quantity?: Quantity
  /** Decimal places shown; by default all that a number has. */
  readonly digits?: number
  /** Texts of values that are searched by as numbers. */
  readonly valueNames?: Names
  /** Text of no value, where that means something. */
  readonly none?: string
  /** How a time is shown: its day, or how long ago it was; day and minute by default. */
  readonly shownAs?: 'date' | 'ago'
  /** `end` by default for numbers. */
  readonly align?: 'start' | 'end'
  /** Not shown before a person chooses it. */
  readonly hidden?: true
  /** Neither searched nor sorted by. */
  readonly searchable?: false
}

export type Column = ColumnKind & Presentation
export type Columns = Readonly<Record<string, Column>>

type Searchable<C extends Columns> = {
  readonly [Id in keyof C as C[Id] extends { readonly searchable: false } ? never : Id]: C[Id]
}

/** The columns that a list is searched and sorted by. */
export const searchable = <C extends Columns>(columns: C): Searchable<C> =>
  Object.fromEntries(Object.entries(columns).filter(([, column]) => column.searchable !== false)) as Searchable<C>

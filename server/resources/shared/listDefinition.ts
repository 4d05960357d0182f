/** The definition of a list that can be searched, sorted and paged. */
import type { SQL, SQLWrapper } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { SearchColumns } from '../../../src/api/contract/endpoint.ts'
import type { SearchableValue } from './listSearch.ts'

/** How a column is searched and sorted. */
export interface ListColumn extends SearchableValue {
  readonly order: SortOrder
  /** The table that stores it: the list's own if absent, the one beside it, or both. */
  readonly home?: 'sideTable' | 'both'
  /** Whether an index has the rows with the same value in the order of the key. */
  readonly isIndexedWithKey?: boolean
}
export type SortOrder =
  | ByValue
  /** Sorts by the name of a referenced row. */
  | { readonly reference: PgColumn; readonly names: { table: PgTable; id: PgColumn; name: SQLWrapper } }

/**
 * Sorts by a value. In both directions, rows without a value come last, and rows that meet the condition `first`, which is never
 * null, come before the others. At most one of `nullable` and `first` is set.
 */
export interface ByValue {
  readonly by: SQLWrapper
  readonly nullable?: boolean
  readonly first?: SQL
}

/** A list: its table, key and columns. */
export interface ListDefinition {
  readonly table: PgTable
  /** The unique key, which is the last sort key. */
  readonly key: PgColumn
  readonly definition: SearchColumns
  readonly columns: Readonly<Record<string, ListColumn>>
  /** The order without a sort column; that of the key if absent. */
  readonly defaultOrder?: SortOrder
  readonly sideTable?: SideTable
  /**
   * Maximum matches that are read and then sorted instead of read in index order; also the maximum rows skipped without a
   * remembered position.
   */
  readonly fewMatches?: number
  /** Rows up to which all matches are counted even if an estimate is enough. */
  readonly countedRows?: number
  /** Stored counts, for a table that is too large to count on every call. */
  readonly tally?: Tally
}

/**
 * A table with one row for each row of the list's own, under the same key: for columns that change often. It repeats the
 * columns by which the list is scoped under the same names.
 */
export interface SideTable {
  readonly table: PgTable
  readonly key: PgColumn
  readonly shared: readonly PgColumn[]
}

/**
 * A table of stored counts. It has the list's reference and scope columns under the same names, and its rows add up to
 * the counts.
 */
export interface Tally {
  readonly table: PgTable
  readonly count: PgColumn
}

/** Which tables a list's query reads, and from which its rows are counted. */
import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { ListColumn, ListDefinition } from './listDefinition.ts'

/** The tables that a query reads. */
export interface Source {
  readonly tables: SQL
  /** One of them that has all rows. */
  readonly main: PgTable
  /** Returns the tables with a random sample of the main one's pages, the same at each call until rows are written. */
  readonly sample: (percent: number) => SQL
}

/** Returns the tables that store the searched and the sorted column. */
export function sourceOf(
  { table, key, sideTable }: ListDefinition,
  ...used: readonly (ListColumn | undefined)[]
): Source {
  const homes = new Set(used.map(column => (column === undefined ? 'both' : column.home)))
  const source = (main: PgTable, joined: SQL): Source => ({
    main,
    tables: sql`${main}${joined}`,
    sample: percent => sql`${main} tablesample system (${sql.raw(String(percent))}) repeatable (0)${joined}`,
  })
  if (!sideTable || !homes.has('sideTable')) return source(table, sql``)
  if (homes.has(undefined)) return source(table, sql` join ${sideTable.table} on ${sideTable.key} = ${key}`)
  // Named like the list's table, so that the same conditions apply; PostgreSQL removes the subquery.
  const shared = sql.join([sideTable.key, ...sideTable.shared], sql`, `)
  return source(sideTable.table, sql` cross join lateral (select ${shared}) as ${sql.identifier(getTableName(table))}`)
}

/** How to count rows: the expression `n` over `from`. */
export interface CountSource {
  readonly from: SQL
  readonly n: SQL<number>
}

/** Returns whether a list's stored counts cover a search of this column, or all rows. */
export const hasStoredCounts = ({ tally }: ListDefinition, searched: ListColumn | undefined): boolean =>
  tally !== undefined && (searched === undefined || 'reference' in searched.order)

/** Counts from stored counts if these cover the searched column, otherwise from the rows. */
export function countSource(
  list: ListDefinition,
  from: Source,
  scope: SQL | undefined,
  searched: ListColumn | undefined,
): CountSource {
  const { table, tally } = list
  if (tally && hasStoredCounts(list, searched)) {
    // Aliased to the list's table, so that the same conditions apply.
    const name = sql.identifier(getTableName(table))
    const counted = sql.identifier(tally.count.name)
    return { from: sql`${tally.table} as ${name}`, n: sql`coalesce(sum(${name}.${counted}), 0)::integer` }
  }
  // `ctid` is in no index, which forces a sequential scan. Rows of the table beside change all the time, so an index-only
  // scan would have to check the visibility of almost every one, which takes three times as long on a large table.
  const rows = scope === undefined && from.main !== table ? sql`${from.main}.ctid` : sql`*`
  return { from: from.tables, n: sql`count(${rows})::integer` }
}

/** Which tables a list's query reads, and from which its rows are counted. */
import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { ListColumn, ListDefinition } from './listDefinition.ts'

/** The tables that a query reads. */
export interface Source {
  readonly tables: SQL
  /** One of them that has all rows. */
  readonly main: PgTable
}

/** Returns the tables that store the searched and the sorted column. */
export function sourceOf({ table, key, beside }: ListDefinition, ...used: readonly (ListColumn | undefined)[]): Source {
  const homes = new Set(used.map(column => (column === undefined ? 'both' : column.home)))
  if (!beside || !homes.has('beside')) return { tables: sql`${table}`, main: table }
  if (homes.has(undefined)) return { tables: sql`${table} join ${beside.table} on ${beside.key} = ${key}`, main: table }
  // Named like the list's table, so that the same conditions apply; PostgreSQL removes the subquery.
  const shared = sql.join([beside.key, ...beside.shared], sql`, `)
  const named = sql`lateral (select ${shared}) as ${sql.identifier(getTableName(table))}`
  return { tables: sql`${beside.table} cross join ${named}`, main: beside.table }
}

/** How to count rows: the expression `n` over `from`. */
export interface CountSource {
  readonly from: SQL
  readonly n: SQL<number>
}

/** Counts from stored counts if these cover the searched column, otherwise from the rows. */
export function countSource(
  { table, tally }: ListDefinition,
  from: Source,
  scope: SQL | undefined,
  searched: ListColumn | undefined,
): CountSource {
  if (tally && (searched === undefined || 'reference' in searched.order)) {
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

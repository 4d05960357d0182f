/** Kinds of list columns that several lists have. */
import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Column, Columns } from '../../../src/domain/columns/column.ts'
import { lowered } from '../../db/caseFold.ts'
import { accounts } from '../../db/schema/accounts.ts'
import type { ListColumn } from './list.ts'

/** A column of the list's own table; of a text, its stored key. */
export const plain = (column: PgColumn): ListColumn => ({
  value: column,
  order: { by: column, nullable: !column.notNull },
})

/** A text without a stored key: for lists of some thousand rows. */
export const folded = (column: PgColumn): ListColumn => ({
  value: lowered(column),
  order: { by: lowered(column), nullable: !column.notNull },
})

/** The name, kept in `key`, of the row of another table that `reference` points to. */
export const named = (reference: PgColumn, table: PgTable, id: PgColumn, key: PgColumn | SQL): ListColumn => ({
  value: key,
  among: test => sql`${reference} in (select ${id} from ${table} where ${test})`,
  order: { reference, names: { table, id, name: key } },
})

/** The company that `reference` points to. */
export const company = (reference: PgColumn): ListColumn =>
  named(reference, accounts, accounts.id, lowered(accounts.company_name))

type StoredColumns<Table extends PgTable> = Table['_']['columns']

/**
 * Where the columns of a list are found. Those that the table stores under the same name follow from it: a text by its
 * stored key where it has one, else lowered. The others are given, as is any that is found in another way.
 */
export function storedColumns<Table extends PgTable, C extends Columns>(
  table: Table,
  columns: C,
  others: Partial<Record<keyof C, ListColumn>> & Record<Exclude<keyof C, keyof StoredColumns<Table>>, ListColumn>,
): Readonly<Record<string, ListColumn>> {
  const stored: Readonly<Record<string, PgColumn>> = getTableColumns(table)
  const found = Object.entries<Column>(columns).flatMap(([id, { kind }]) => {
    const [column, key] = [stored[id], stored[`${id}_key`]]
    if (key) return [[id, plain(key)] as const]
    return column ? [[id, kind === 'text' ? folded(column) : plain(column)] as const] : []
  })
  return { ...Object.fromEntries(found), ...others }
}

/** Builds the columns of lists. */
import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { bssidParts, normaliseBssid } from '../../../src/domain/bssid.ts'
import type { Column, Columns } from '../../../src/domain/columns/column.ts'
import { lowered } from '../../db/caseFold.ts'
import { accounts } from '../../db/schema/accounts.ts'
import type { ListColumn } from './listDefinition.ts'

/** Returns a column of the list's own table; for a text, pass its stored sort key. */
export const plain = (column: PgColumn): ListColumn => ({
  value: column,
  order: { by: column, nullable: !column.notNull },
})

/** Returns the column of a device's BSSID, which may be searched in any spelling. */
export const bssidColumn = (column: PgColumn): ListColumn => ({
  ...plain(column),
  fold: 'upper',
  normalise: normaliseBssid,
  parts: bssidParts,
})

/** Returns a text column without a stored sort key, for lists of a few thousand rows. */
export const folded = (column: PgColumn): ListColumn => ({
  value: lowered(column),
  order: { by: lowered(column), nullable: !column.notNull },
})

/** Returns a column with the name of a row of another table. `reference` points to the row, `key` is its sort key. */
export const referencedName = (reference: PgColumn, table: PgTable, id: PgColumn, key: PgColumn | SQL): ListColumn => ({
  value: key,
  inAnyRow: test => sql`${reference} in (select ${id} from ${table} where ${test})`,
  order: { reference, names: { table, id, name: key } },
})

/** Returns a column with the company name of the account that `reference` points to. */
export const company = (reference: PgColumn): ListColumn =>
  referencedName(reference, accounts, accounts.id, lowered(accounts.company_name))

/** Returns the columns of the table beside the list's own, by name. */
export function sideTableColumns<Table extends PgTable>(table: Table): Record<keyof StoredColumns<Table>, ListColumn> {
  const columns: Readonly<Record<string, PgColumn>> = getTableColumns(table)
  const all = Object.entries(columns).map(([name, column]) => [name, { ...plain(column), home: 'sideTable' }] as const)
  return Object.fromEntries(all) as Record<keyof StoredColumns<Table>, ListColumn>
}

type StoredColumns<Table extends PgTable> = Table['_']['columns']

/**
 * Returns the columns of a list. Those that the table stores under the same name are derived from it: a text is
 * searched by its stored sort key, or in lower case if it has none. `custom` contains the remaining columns, and
 * overrides.
 */
export function storedColumns<Table extends PgTable, C extends Columns>(
  table: Table,
  columns: C,
  custom: Partial<Record<keyof C, ListColumn>> & Record<Exclude<keyof C, keyof StoredColumns<Table>>, ListColumn>,
): Readonly<Record<string, ListColumn>> {
  const stored: Readonly<Record<string, PgColumn>> = getTableColumns(table)
  const derived = Object.entries<Column>(columns).flatMap(([id, { kind }]) => {
    const [column, key] = [stored[id], stored[`${id}_key`]]
    if (key) return [[id, plain(key)] as const]
    return column ? [[id, kind === 'text' ? folded(column) : plain(column)] as const] : []
  })
  return { ...Object.fromEntries(derived), ...custom }
}

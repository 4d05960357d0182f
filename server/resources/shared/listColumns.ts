/** Kinds of list columns that several lists have. */
import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
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

/** Names by which people, and rows of uploads, refer to a thing: told apart without regard to case, and unique. */
import { and, eq, ne, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../../db/database.ts'
import { lowered, nameKeys } from '../../db/caseFold.ts'
import { conflict } from '../../core/errors.ts'
import type { Problems, TableRow } from '../../files/table.ts'

interface Names {
  readonly table: PgTable
  readonly id: PgColumn
  /** The stored key of the name. */
  readonly key: PgColumn
}

/**
 * Lets one transaction at a time write the table, and others read it: what is checked now still holds when it is
 * stored. Comes before any of its rows is locked, and after the vendors that they are to refer to: deleting a vendor
 * locks in that order.
 */
export async function lockForWriting(tx: Database, table: PgTable): Promise<void> {
  await tx.execute(sql`lock table ${table} in share row exclusive mode`)
}

/** Throws a 409 if another than the row `id` has this name. */
export async function rejectDuplicateName(
  tx: Database,
  names: Names,
  id: string,
  name: string,
  message: string,
): Promise<void> {
  const taken = await tx.$count(
    names.table,
    and(eq(names.key, lowered(sql`${name}::text`)), ne(names.id, sql`${id}::text`)),
  )
  if (taken > 0) throw conflict(message)
}

/** Tells of names in `column` that stand in an earlier row too, or exist already. */
export async function reportDuplicateNames(
  tx: Database,
  names: Names,
  rows: readonly TableRow[],
  column: string,
  found: Problems,
): Promise<void> {
  const keyOf = await nameKeys(
    tx,
    rows.map(row => row.cells[column] ?? ''),
  )
  const existing = await tx.select({ key: sql<string>`${names.key}` }).from(names.table)
  const taken = new Set(existing.map(({ key }) => key))
  const firstRows = new Map<string, number>()
  for (const row of rows) {
    const name = row.cells[column] ?? ''
    if (name === '') continue
    const key = keyOf(name)
    const first = firstRows.get(key)
    if (first !== undefined) found.add(row, `${column} ${name} stands in row ${first} already`)
    else if (taken.has(key)) found.add(row, `${column} ${name} exists already`)
    if (first === undefined) firstRows.set(key, row.number)
  }
}

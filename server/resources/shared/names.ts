/** Unique names, compared without case, by which users and uploads refer to rows. */
import { and, eq, ne, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../../db/database.ts'
import { lowered, nameKeys } from '../../db/caseFold.ts'
import { conflict } from '../../core/errors.ts'
import type { Problems, TableRow } from '../../files/table.ts'

interface Names {
  readonly table: PgTable
  readonly id: PgColumn
  /** The name's sort key. */
  readonly key: PgColumn
}

/**
 * Locks a table against other writers but not readers, so that checks still hold when rows are stored. To avoid
 * deadlocks, call it before locking rows of the table and after locking vendors, as deleting a vendor does.
 */
export async function lockForWriting(tx: Database, table: PgTable): Promise<void> {
  await tx.execute(sql`lock table ${table} in share row exclusive mode`)
}

/** Throws a 409 if another row than `id` has this name. */
export async function rejectDuplicateName(
  tx: Database,
  names: Names,
  id: string,
  name: string,
  message: string,
): Promise<void> {
  const existingKeys = await tx.$count(
    names.table,
    and(eq(names.key, lowered(sql`${name}::text`)), ne(names.id, sql`${id}::text`)),
  )
  if (existingKeys > 0) throw conflict(message)
}

/** Adds names in `column` that occur in an earlier row or already exist to `problems`. */
export async function reportDuplicateNames(
  tx: Database,
  names: Names,
  rows: readonly TableRow[],
  column: string,
  problems: Problems,
): Promise<void> {
  const nameKeyOf = await nameKeys(
    tx,
    rows.map(row => row.cells[column] ?? ''),
  )
  const existing = await tx.select({ key: sql<string>`${names.key}` }).from(names.table)
  const existingKeys = new Set(existing.map(({ key }) => key))
  const firstRows = new Map<string, number>()
  for (const row of rows) {
    const name = row.cells[column] ?? ''
    if (name === '') continue
    const key = nameKeyOf(name)
    const first = firstRows.get(key)
    if (first !== undefined) problems.add(row, `${column} ${name} is already in row ${first}`)
    else if (existingKeys.has(key)) problems.add(row, `${column} ${name} already exists`)
    if (first === undefined) firstRows.set(key, row.number)
  }
}

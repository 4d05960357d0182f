/** Loads the tables of another database, in one transaction, and checks that both have the same rows. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { digest, listTables, type Partition, type Query, type Sequence, type Table } from './tables.ts'

/** A table to load: its rows as COPY reads them, and then its digest. */
export interface TableContent {
  readonly table: Table
  readonly rows: Readable
  /** Called once the rows have been read. */
  digest(): Promise<string>
}

/** The contents are not those of the tables that they were read from. */
export class WrongContents extends Error {}

/** What is loaded, read in this order. */
export interface Contents {
  readonly partitions: readonly Partition[]
  /** All tables that have rows, and maybe others. */
  readonly tables: AsyncIterable<TableContent>
  /** Called once the tables have been read. */
  sequences(): Promise<readonly Sequence[]>
}

/**
 * Replaces the rows of a database that has the same migrations as the contents. Call inside a transaction, which must be
 * rolled back if it fails. It needs no more than the owner's rights.
 * @throws WrongContents if a table is unknown or differs afterwards; DatabaseError of `pg` if a reference leads nowhere.
 */
export async function load(target: ClientBase, { partitions, tables, sequences }: Contents): Promise<void> {
  const query: Query = async <Row>(text: string) => (await target.query(text)).rows as Row[]
  const present = await listTables(query)
  for (const { name, of, bounds } of partitions)
    await target.query(`create table if not exists ${name} partition of ${of} ${bounds}`)
  const known = new Set([...present, ...(await listTables(query))].map(({ name }) => name))
  // The rows that triggers would add are loaded too, and tables are loaded in any order.
  const restoreChecks = await suspendChecks(query)
  // Migrations have written some rows.
  await target.query(`truncate ${[...known].join(', ')}`)
  for await (const { table, rows, digest: expected } of tables) {
    if (!known.has(table.name)) throw new WrongContents(`it has unknown tables: ${table.name}`)
    await pipeline(rows, target.query(copyFrom(`copy ${table.name} (${table.columns.join(', ')}) from stdin`)))
    if ((await digest(query, table)) !== (await expected()))
      throw new WrongContents(`the copy of ${table.name} differs`)
  }
  await restoreChecks()
  for (const { name, value } of await sequences())
    await target.query('select setval($1::regclass, $2::bigint)', [name, value])
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Drops the foreign keys and disables the triggers; returns a function that restores and checks them. */
async function suspendChecks(query: Query): Promise<() => Promise<void>> {
  // Foreign keys of partitions follow those of their table.
  const keys = await query<ForeignKey>(`
    select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where contype = 'f' and conparentid = 0 and connamespace in ('public'::regnamespace, 'drizzle'::regnamespace)`)
  const triggers = await query<{ table: string }>(`
    select distinct tgrelid::regclass::text as "table" from pg_trigger t join pg_class c on c.oid = tgrelid
    where not tgisinternal and tgenabled <> 'D' and tgparentid = 0 and relnamespace = 'public'::regnamespace`)
  for (const { table, name } of keys) await query(`alter table ${table} drop constraint ${name}`)
  for (const { table } of triggers) await query(`alter table ${table} disable trigger user`)
  return async () => {
    for (const { table } of triggers) await query(`alter table ${table} enable trigger user`)
    for (const { table, name, definition } of keys)
      await query(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

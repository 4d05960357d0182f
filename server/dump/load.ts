/** Copies the rows of one database to another one with the same tables, row by row, in one transaction. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  digest,
  listTables,
  partitionStatements,
  sequenceStatements,
  textForm,
  type Query,
  type Table,
} from './tables.ts'

/** The database that is read. It must not change meanwhile. */
export interface Source {
  readonly query: Query
  /** Yields the rows of a query as arrays of texts, a batch at a time. */
  rows(query: string): AsyncIterable<readonly (string | null)[][]>
}

/**
 * Copies everything into `target`, a database with the same migrations whose rows are replaced, and compares the two.
 * Nothing is changed if it fails. @throws Error if a table is missing or differs afterwards.
 */
export async function load(source: Source, target: Client): Promise<void> {
  const query: Query = async <Row>(text: string) => (await target.query(text)).rows as Row[]
  await source.query(textForm)
  await target.query(textForm)
  await target.query('begin')
  try {
    // Neither triggers nor references: the rows that they would add or check are copied too.
    await target.query('set local session_replication_role = replica')
    for (const statement of await partitionStatements(source.query)) await target.query(statement)
    const tables = await listTables(source.query)
    const present = await listTables(query)
    const missing = tables.filter(table => !present.some(({ name }) => name === table.name))
    if (missing.length > 0) throw new Error(`it has unknown tables: ${missing.map(({ name }) => name).join(', ')}`)
    // Migrations have written some rows.
    await target.query(`truncate ${present.map(({ name }) => name).join(', ')}`)
    for (const table of tables) await loadTable(source, target, table)
    for (const statement of await sequenceStatements(source.query)) await target.query(statement)
    for (const table of tables)
      if ((await digest(source.query, table)) !== (await digest(query, table)))
        throw new Error(`the copy of ${table.name} differs`)
    await target.query('commit')
  } catch (error) {
    await target.query('rollback').catch(() => undefined)
    throw error
  }
}

async function loadTable(source: Source, target: Client, { name, columns }: Table): Promise<void> {
  const batches = source.rows(`select ${columns.map(column => `${column}::text`).join(', ')} from ${name}`)
  const lines = Readable.from(batches).map((rows: readonly (string | null)[][]) =>
    rows.map(row => `${row.map(encode).join('\t')}\n`).join(''),
  )
  await pipeline(lines, target.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`)))
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Returns a value as COPY reads it. */
const encode = (value: string | null) =>
  value === null ? '\\N' : value.replaceAll(/[\\\t\n\r]/g, character => escapes[character]!)

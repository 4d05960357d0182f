/** What a PGlite database contains, in the form in which it is loaded into another one. */
import { Readable } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'
import type { Contents, TableContent } from '../dump/load.ts'
import { digest, listPartitions, listSequences, listTables, textForm, type Query } from '../dump/tables.ts'

/** Rows in memory at a time. */
const batchSize = 2000

/** Returns the contents of a database that nothing else uses. */
export async function pgliteContents(pglite: PGlite): Promise<Contents> {
  const query: Query = async <Row>(text: string) => ((await pglite.exec(text)).at(-1)?.rows ?? []) as Row[]
  await pglite.exec(textForm)
  const tables = await listTables(query)
  async function* contents(): AsyncGenerator<TableContent> {
    for (const table of tables) {
      const text = `select ${table.columns.map(column => `${column}::text`).join(', ')} from ${table.name}`
      yield { table, rows: Readable.from(copyLines(pglite, text)), digest: () => digest(query, table) }
    }
  }
  return {
    partitions: await listPartitions(query),
    tables: contents(),
    sequences: () => listSequences(query),
  }
}

/** Yields the rows of a query as COPY reads them, a batch at a time. */
async function* copyLines(pglite: PGlite, text: string): AsyncGenerator<string> {
  await pglite.exec(`begin; declare carried no scroll cursor for ${text}`)
  for (;;) {
    const { rows } = await pglite.query<(string | null)[]>(`fetch ${batchSize} from carried`, [], { rowMode: 'array' })
    if (rows.length === 0) break
    yield rows.map(row => `${row.map(encode).join('\t')}\n`).join('')
  }
  await pglite.exec('commit')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Returns a value as COPY reads it. */
const encode = (value: string | null) =>
  value === null ? '\\N' : value.replaceAll(/[\\\t\n\r]/g, character => escapes[character]!)

/** Many rows in few statements: one parameter carries a whole batch as JSON, so neither SQL nor plan grows with it. */
import { sql, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

const batchSize = 2000

/** Values by column name; times as `Date` or ISO text. Every row has the columns of the first. */
type Row = Readonly<Record<string, unknown>>

/** Inserts rows; columns that the first row lacks get their defaults. `onConflict` ends the statement. */
export async function insertMany(db: Database, table: PgTable, rows: readonly Row[], onConflict?: SQL): Promise<void> {
  const columns = names(table, rows)
  for (let from = 0; from < rows.length; from += batchSize)
    await db.execute(
      sql`insert into ${table} (${columns}) select ${columns} from ${recordset(table, rows.slice(from, from + batchSize))} ${onConflict ?? sql``}`,
    )
}

/** Rows as a table expression of `table`'s own type; columns that are not given are null. */
export const recordset = (table: PgTable, rows: readonly Row[]): SQL =>
  sql`json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`

function names(table: PgTable, rows: readonly Row[]): SQL {
  const given = Object.keys(rows[0] ?? {})
  const known = getTableConfig(table).columns.filter(column => given.includes(column.name))
  return sql.join(
    known.map(column => sql.identifier(column.name)),
    sql`, `,
  )
}

/**
 * Runs `work` without the table's sorting and search indexes and builds them afterwards: for filling a table, where
 * keeping them up row by row takes twice as long. Inside a transaction: others wait, and a failure brings them back.
 */
export async function withoutIndexes(db: Database, table: PgTable, work: () => Promise<void>): Promise<void> {
  const { name } = getTableConfig(table)
  const { rows } = await db.execute<{ name: string; definition: string }>(
    sql`select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
        from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = ${name}::regclass and not x.indisunique`,
  )
  for (const index of rows) await db.execute(sql`drop index ${sql.identifier(index.name)}`)
  await work()
  for (const index of rows) await db.execute(sql.raw(index.definition))
}

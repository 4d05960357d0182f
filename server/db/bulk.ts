/** Bulk statements: one JSON parameter carries a whole batch, so the SQL and its plan do not grow with it. */
import { sql, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

const batchSize = 2000

/** Values by column name; times as `Date` or ISO text. All rows must have the columns of the first. */
type Row = Readonly<Record<string, unknown>>

/**
 * Inserts rows; columns that the first row lacks get their defaults. `onConflict` is appended to the statement. Rows that
 * are generated are in memory only for their statement.
 */
export async function insertMany(
  db: Database,
  table: PgTable,
  rows: Iterable<Row>,
  onConflict: SQL = sql``,
): Promise<void> {
  let columns: SQL | undefined
  for (const batch of batchesOf(rows)) {
    columns ??= columnNames(table, batch)
    await db.execute(
      sql`insert into ${table} (${columns}) select ${columns} from ${recordset(table, batch)} ${onConflict}`,
    )
  }
}

function* batchesOf(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    if (batch.push(row) < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Returns a table expression with these rows, typed like `table`; missing columns are null. */
export const recordset = (table: PgTable, rows: readonly Row[]): SQL =>
  sql`json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`

/** Returns the same for a prepared statement, whose value by this name is the rows' JSON. */
export const preparedRecordset = (table: PgTable, placeholder: string): SQL =>
  sql`json_populate_recordset(null::${table}, ${sql.placeholder(placeholder)}::json)`

/** Returns the names of the columns that the rows have. */
function columnNames(table: PgTable, rows: readonly Row[]): SQL {
  const present = Object.keys(rows[0] ?? {})
  const columns = getTableConfig(table).columns.filter(column => present.includes(column.name))
  return sql.join(
    columns.map(column => sql.identifier(column.name)),
    sql`, `,
  )
}

/** Number of rows from which `withoutIndexes` is faster. */
export const largeTable = 5_000

/**
 * Runs `work` without the non-unique indexes of the table of this name and rebuilds them afterwards, which is twice as fast
 * when filling a table. Call inside a transaction, so that a failure restores the indexes; it blocks other users of the
 * table.
 */
export async function withoutIndexes(db: Database, name: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await db.execute<{ name: string; definition: string }>(
    sql`select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
        from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = ${name}::regclass and not x.indisunique`,
  )
  for (const index of rows) await db.execute(sql`drop index ${sql.identifier(index.name)}`)
  await work()
  for (const index of rows) await db.execute(sql.raw(index.definition))
}

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
  sql`jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb)`

function names(table: PgTable, rows: readonly Row[]): SQL {
  const given = Object.keys(rows[0] ?? {})
  const known = getTableConfig(table).columns.filter(column => given.includes(column.name))
  return sql.join(
    known.map(column => sql.identifier(column.name)),
    sql`, `,
  )
}

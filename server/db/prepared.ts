/** Statements whose text is built once, and whose plan PostgreSQL may keep. */
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

/** Values by the name of their `sql.placeholder`. */
type Values = Readonly<Record<string, unknown>>

interface RunOptions {
  /**
   * Whether each connection plans the statement once, and not for each call. Such a plan expects about ten elements of an
   * array, so it is for calls with few: for them planning takes longer than the work.
   */
  readonly keepPlan: boolean
}

/** Returns a function that runs the statement and returns its rows. `name` is unique in the program. */
export function prepareStatement<Row>(
  name: string,
  statement: SQL,
): (db: Database, values: Values, options: RunOptions) => Promise<Row[]> {
  const query = new PgDialect().sqlToQuery(statement)
  return async (db, values, { keepPlan }) => {
    const prepared = db._.session.prepareQuery<{ execute: { rows: Row[] }; all: unknown; values: unknown }>(
      query,
      undefined,
      keepPlan ? name : undefined,
      false,
    )
    return (await prepared.execute({ ...values })).rows
  }
}

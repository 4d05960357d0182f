/** The database as the rest of the server uses it; server/embedded/open.ts opens it. */
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Result of raw SQL in both drivers. A `bigint` is text in one and a number in the other, so cast it in SQL. */
interface Result<Row> {
  rows: Row[]
}
interface Rows extends PgQueryResultHKT {
  type: Result<this['row']>
}

/**
 * Queries and transactions over either driver; a transaction is a `Database` itself. PGlite has a single connection:
 * inside a transaction use only the transaction, or it deadlocks.
 */
export type Database = Pick<
  PgDatabase<Rows>,
  | 'select'
  | 'selectDistinct'
  | 'selectDistinctOn'
  | 'insert'
  | 'update'
  | 'delete'
  | 'with'
  | '$with'
  | '$count'
  | 'execute'
  | 'transaction'
>

export interface OpenDatabase {
  readonly db: Database
  close(): Promise<void>
}

/** For data that fits in memory: with the default, made for spinning disks, lists are sorted by reading every row. */
export const randomPageCost = 1.1

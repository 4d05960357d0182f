/** The database as the rest of the server uses it; server/embedded/open.ts opens it. */
import type { Log } from '../core/log.ts'
import type { DatabaseState } from './state.ts'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Pool, PoolConfig } from 'pg'

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
  | '_'
>

/** The database as it serves people: a call is answered soon, whatever the database does. */
export interface Serving {
  readonly db: Database
  /** Absent in PGlite, which has a single connection. */
  readonly pool?: Pool
  readonly state: DatabaseState
  close(): Promise<void>
}

export interface ServeOptions {
  /** Bytes of its disk that are kept free, in which PostgreSQL can end and recover. */
  readonly reserve: number
  readonly log: Log
  /** Milliseconds after which a statement fails; overridden in tests. */
  readonly statementTimeout?: number
  /** Milliseconds after which a database that does not answer counts as unreachable; overridden in tests. */
  readonly answerTimeout?: number
}

export interface OpenDatabase {
  /** For what the server does by itself. */
  readonly db: Database
  /** How connections besides these reach it; absent in PGlite, which has a single one. */
  readonly connection?: PoolConfig
  /** Opens the database for people's calls; it is closed before this one. */
  serve(options: ServeOptions): Serving
  close(): Promise<void>
}

/** For data that fits in memory: with the default, made for spinning disks, lists are sorted by reading every row. */
export const randomPageCost = 1.1

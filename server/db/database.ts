/** The database: embedded in the data folder, or a PostgreSQL server. Both have one schema and one set of migrations. */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { sql } from 'drizzle-orm'
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import type { Config } from '../core/config.ts'
import { DatabaseError } from './databaseError.ts'
import { lockFolder } from './folderLock.ts'
import { migrate } from './migrate.ts'

/** What both drivers answer to raw SQL. A `bigint` is text in one and a number in the other: cast in SQL. */
interface Result<Row> {
  rows: Row[]
}
interface Rows extends PgQueryResultHKT {
  type: Result<this['row']>
}

/**
 * Queries and transactions, the same over both drivers; a transaction is a `Database` itself.
 * The embedded one has a single connection: inside a transaction use the transaction only, or it waits for itself.
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

/** The fleet fits in memory: with the default, made for spinning disks, lists are sorted by reading every row. */
const randomPageCost = 1.1

/** Opens the configured database and brings its schema up to date. Throws a `DatabaseError` that says what to do. */
export function open(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenDatabase> {
  return config.databaseUrl === undefined ? openEmbedded(config.dataDir) : openPostgres(config.databaseUrl)
}

/** Milliseconds; half a second's work on a fleet of 100,000 that reports all the time, nothing on one that rests. */
const vacuumEvery = 10 * 60_000

/**
 * The embedded database, in the folder `database` of the data folder. It does not vacuum by itself: its tables would
 * only ever grow, and lists look at more and more that is gone.
 */
async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  const unlock = await lockFolder(dataDir)
  // Node itself aborts at times when it frees compiled WebAssembly: https://github.com/nodejs/node/issues/64500
  setFlagsFromString('--no-wasm-code-gc')
  try {
    // Loaded only where used: they are megabytes of WebAssembly.
    const [{ PGlite }, { pg_trgm }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('@electric-sql/pglite/contrib/pg_trgm'),
    ])
    const client = await PGlite.create(join(dataDir, 'database'), { extensions: { pg_trgm } })
    await client.exec(`set random_page_cost = ${randomPageCost}`)
    const db = overPglite(client)
    await migrate(db)
    await client.exec('vacuum')
    const vacuuming = setInterval(() => void client.exec('vacuum').catch(() => undefined), vacuumEvery).unref()
    return {
      db,
      close: async () => {
        clearInterval(vacuuming)
        await client.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw new DatabaseError(`The database in ${dataDir} does not open: ${reason(error)}`, { cause: error })
  }
}

/** Any number, the same in every process: who migrates holds this advisory lock. */
const migrationLock = 7_305_061_936

async function openPostgres(databaseUrl: string): Promise<OpenDatabase> {
  const { Pool } = (await import('pg')).default
  // Statements take milliseconds; compiling one whose cost was overestimated would take a hundred.
  const options = `-c random_page_cost=${randomPageCost} -c jit=off`
  const pool = new Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, max: 10, options })
  // An idle connection that breaks is replaced at the next query; unheard, the event would end the process.
  pool.on('error', () => undefined)
  try {
    const client = await pool.connect()
    try {
      // On one connection, so that a second process waits here until the schema is complete.
      const connection = overPostgres(client)
      await connection.execute(sql`select pg_advisory_lock(${migrationLock})`)
      await migrate(connection)
      await connection.execute(sql`select pg_advisory_unlock(${migrationLock})`)
    } finally {
      // Closing it releases the lock even where migrating failed.
      client.release(true)
    }
  } catch (error) {
    await pool.end()
    const { host } = new URL(databaseUrl)
    throw new DatabaseError(`The database at ${host} (DATABASE_URL) does not open: ${reason(error)}`, { cause: error })
  }
  return { db: overPostgres(pool), close: () => pool.end() }
}

/** The innermost cause says what happened; what wraps it quotes SQL. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : reason(error.cause)
}

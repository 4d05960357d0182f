/** The database: embedded (PGlite) or PostgreSQL, with the same schema and migrations. */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { sql } from 'drizzle-orm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import type { Config } from '../core/config.ts'
import { DatabaseError } from './databaseError.ts'
import { lockFolder } from './folderLock.ts'
import { readMigrations } from './migrations.ts'
import { msPerMinute } from '../../src/domain/time.ts'

/** Result of raw SQL in both drivers. A `bigint` is text in one and a number in the other, so cast it in SQL. */
interface Result<Row> {
  rows: Row[]
}
interface Rows extends PgQueryResultHKT {
  type: Result<this['row']>
}

/**
 * Queries and transactions over either driver; a transaction is a `Database` itself.
 * The embedded database has a single connection: inside a transaction use only the transaction, or it deadlocks.
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
const randomPageCost = 1.1

/** Opens the configured database and runs its migrations. Throws a `DatabaseError` if that fails. */
export function open(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenDatabase> {
  return config.databaseUrl === undefined ? openEmbedded(config.dataDir) : openPostgres(config.databaseUrl)
}

/** Milliseconds between two vacuums; one takes half a second with 100,000 reporting devices. */
const vacuumInterval = 10 * msPerMinute

/**
 * Opens the embedded database in `database` of the data folder. It has no autovacuum, so dead rows would make its
 * tables grow and its lists slow.
 */
async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  const unlock = await lockFolder(dataDir)
  // Node may crash when it frees compiled WebAssembly: https://github.com/nodejs/node/issues/64500
  setFlagsFromString('--no-wasm-code-gc')
  try {
    // Imported dynamically, because they contain megabytes of WebAssembly.
    const [{ PGlite }, { pg_trgm }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('@electric-sql/pglite/contrib/pg_trgm'),
    ])
    const client = await PGlite.create(join(dataDir, 'database'), { extensions: { pg_trgm } })
    await client.exec(`set random_page_cost = ${randomPageCost}`)
    const db = drizzlePglite(client)
    await migrate(db)
    await client.exec('vacuum')
    const vacuumTimer = setInterval(() => void client.exec('vacuum').catch(() => undefined), vacuumInterval).unref()
    return {
      db,
      close: async () => {
        clearInterval(vacuumTimer)
        await client.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw new DatabaseError(`Could not open the database in ${dataDir}: ${rootCause(error)}`, { cause: error })
  }
}

/**
 * Runs the pending migrations in one transaction. Applied ones are recorded in the table of drizzle-orm's own migrator,
 * which earlier versions used, so that their databases are upgraded too. Throws if the database has more migrations
 * than this version: an older version must not write to a newer schema.
 */
export async function migrate(db: Database): Promise<void> {
  const migrations = readMigrations()
  await db.execute(sql`create schema if not exists drizzle`)
  await db.execute(sql`create table if not exists drizzle.__drizzle_migrations
    (id serial primary key, hash text not null, created_at bigint)`)
  await db.transaction(async tx => {
    const { rows } = await tx.execute<{ applied: number }>(
      sql`select count(*)::integer as applied from drizzle.__drizzle_migrations`,
    )
    const applied = rows[0]!.applied
    if (applied > migrations.length) throw new Error('it was used by a newer version of Permeate')
    for (const { statements, hash } of migrations.slice(applied)) {
      for (const statement of statements) await tx.execute(sql.raw(statement))
      await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${Date.now()})`)
    }
  })
}

/** Key of the advisory lock for migrations. */
const migrationLock = 7_305_061_936

async function openPostgres(databaseUrl: string): Promise<OpenDatabase> {
  const { Pool } = (await import('pg')).default
  // Statements take milliseconds; JIT compilation of one with an overestimated cost takes a hundred.
  const options = `-c random_page_cost=${randomPageCost} -c jit=off`
  const pool = new Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, max: 10, options })
  // The pool replaces broken idle connections; without a listener, an 'error' event would end the process.
  pool.on('error', () => undefined)
  try {
    const client = await pool.connect()
    try {
      // The lock belongs to this connection; a second process waits here until the schema is complete.
      const connection = drizzlePostgres(client)
      await connection.execute(sql`select pg_advisory_lock(${migrationLock})`)
      await migrate(connection)
      await connection.execute(sql`select pg_advisory_unlock(${migrationLock})`)
    } finally {
      // Closing the connection releases the lock even if a migration failed.
      client.release(true)
    }
  } catch (error) {
    await pool.end()
    const { host } = new URL(databaseUrl)
    throw new DatabaseError(`Could not open the database at ${host} (DATABASE_URL): ${rootCause(error)}`, {
      cause: error,
    })
  }
  return { db: drizzlePostgres(pool), close: () => pool.end() }
}

/** Returns the message of the innermost cause; outer errors only quote the SQL. */
function rootCause(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(rootCause).join('; ')
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : rootCause(error.cause)
}

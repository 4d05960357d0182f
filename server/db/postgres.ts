/** Opens a database on PostgreSQL: one of the operator's, or the embedded one. */
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { ClientBase, PoolClient, PoolConfig } from 'pg'
import { migrationLock } from './advisoryLocks.ts'
import { randomPageCost, type OpenDatabase } from './database.ts'
import { DatabaseError, rootCause } from './databaseError.ts'
import { fillDeviceValues } from './fillDeviceValues.ts'
import { migrate, requireCurrent } from './migrations.ts'
import { msPerMinute } from '../../src/domain/time.ts'

/** A database, and how errors name it. */
export interface PostgresAddress {
  readonly connection: PoolConfig
  /** Such as `at db.example.com (DATABASE_URL)`; without a password. */
  readonly where: string
  /** The folder of its data, if it is on this machine. */
  readonly folder?: string
}

/** Returns the address in a URL, as DATABASE_URL has it. */
export const addressOf = (databaseUrl: string): PostgresAddress => ({
  connection: { connectionString: databaseUrl },
  where: `at ${new URL(databaseUrl).host} (DATABASE_URL)`,
})

/**
 * Milliseconds after which an unused connection is closed. With the default of ten seconds, the periodic tasks of a server at
 * rest open one every few seconds, which costs more than their statements: PostgreSQL starts a process, and plans anew.
 */
const idleTimeout = 5 * msPerMinute

/** Connects and runs the pending migrations, or, without `migrates`, checks that there are none. @throws DatabaseError */
export async function openPostgres(
  { connection, where, folder }: PostgresAddress,
  { migrates = true }: { readonly migrates?: boolean } = {},
): Promise<OpenDatabase> {
  // Imported dynamically, because PGlite does not need it.
  const [{ Pool }, { openServing }] = await Promise.all([import('pg').then(all => all.default), import('./serving.ts')])
  // Statements take milliseconds; JIT compilation of one with an overestimated cost takes a hundred.
  const options = `-c random_page_cost=${randomPageCost} -c jit=off`
  const config: PoolConfig = {
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: idleTimeout,
    max: 10,
    options,
    ...connection,
  }
  let isOpen = false
  // A crash of PostgreSQL, which empties unlogged tables, ends every connection, so new ones find out.
  const onConnect = async (client: ClientBase) => {
    if (isOpen) await fillDeviceValues(drizzle(client as PoolClient))
  }
  const pool = new Pool({ ...config, onConnect })
  // The pool replaces broken connections; without listeners, an 'error' event would end the process. A connection that
  // breaks in a transaction reports it to the query and as an event of its own.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  try {
    const client = await pool.connect()
    let failed = true
    try {
      const single = drizzle(client)
      if (migrates) {
        // The lock belongs to this connection; a second process waits here until the schema is complete.
        await single.execute(sql`select pg_advisory_lock(${migrationLock})`)
        await migrate(single)
        await single.execute(sql`select pg_advisory_unlock(${migrationLock})`)
      } else await requireCurrent(single)
      await fillDeviceValues(single)
      isOpen = true
      failed = false
    } finally {
      // Closing the connection releases the lock.
      client.release(failed)
    }
  } catch (error) {
    await pool.end()
    throw new DatabaseError(`Could not open the database ${where}: ${rootCause(error)}`, { cause: error })
  }
  const db = drizzle(pool)
  return {
    db,
    connection,
    serve: serveOptions =>
      openServing({ ...serveOptions, connection: config, folder, fillValues: () => fillDeviceValues(db) }),
    close: () => pool.end(),
  }
}

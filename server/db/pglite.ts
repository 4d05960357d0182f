/** Opens a database in PGlite, PostgreSQL compiled to WebAssembly, which does not call `fsync`. */
import { setFlagsFromString } from 'node:v8'
import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { randomPageCost, type OpenDatabase } from './database.ts'
import { DatabaseError, rootCause } from './databaseError.ts'
import { fillDeviceValues } from './fillDeviceValues.ts'
import { migrate, requireCurrent } from './migrations.ts'
import { alwaysThere } from './state.ts'
import { msPerMinute } from '../../src/domain/time.ts'

/** Milliseconds between two vacuums, because PGlite has no autovacuum: dead rows would make its lists slow. */
const vacuumInterval = 10 * msPerMinute

/** Opens PGlite on a folder, as it is. */
export async function startPglite(folder: string): Promise<PGlite> {
  // Node may crash when it frees compiled WebAssembly: https://github.com/nodejs/node/issues/64500
  setFlagsFromString('--no-wasm-code-gc')
  // Imported dynamically, because they contain megabytes of WebAssembly.
  const [{ PGlite: Client }, { pg_trgm }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
  ])
  return Client.create(folder, { extensions: { pg_trgm } })
}

/**
 * Opens the database in a folder and runs its pending migrations, or, without `migrates`, checks that there are none.
 * @throws DatabaseError
 */
export async function openPglite(
  folder: string,
  { migrates = true }: { readonly migrates?: boolean } = {},
): Promise<OpenDatabase> {
  let client: PGlite | undefined
  try {
    client = await startPglite(folder)
    const opened = client
    await opened.exec(`set random_page_cost = ${randomPageCost}`)
    const db = drizzle(opened)
    await (migrates ? migrate(db) : requireCurrent(db))
    await fillDeviceValues(db)
    await opened.exec('vacuum')
    const vacuumTimer = setInterval(() => void opened.exec('vacuum').catch(() => undefined), vacuumInterval).unref()
    return {
      db,
      serve: () => ({ db, state: alwaysThere, close: async () => undefined }),
      close: async () => {
        clearInterval(vacuumTimer)
        await opened.close()
      },
    }
  } catch (error) {
    await client?.close()
    throw new DatabaseError(`Could not open the database in ${folder}: ${rootCause(error)}`, { cause: error })
  }
}

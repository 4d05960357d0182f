/** Carries the PGlite database of an earlier version, or of a machine without PostgreSQL, over to PostgreSQL. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { Client } from 'pg'
import { FolderInUse } from '../core/folderLock.ts'
import type { Log } from '../core/log.ts'
import { DatabaseError, rootCause } from '../db/databaseError.ts'
import { countMigrations, migrate } from '../db/migrations.ts'
import { startPglite } from '../db/pglite.ts'
import { load } from '../dump/load.ts'
import { textForm } from '../dump/tables.ts'
import type { Binaries } from './binaries.ts'
import { startCluster } from './cluster.ts'
import { pgliteFolder, unfinishedFolder } from './layout.ts'
import type { OsUser } from './osUser.ts'
import { pgliteContents } from './pgliteContents.ts'

export const hasPgliteDatabase = (dataDir: string) => existsSync(join(pgliteFolder(dataDir), 'PG_VERSION'))

interface CarryOver {
  readonly dataDir: string
  readonly binaries: Binaries
  readonly user: OsUser | undefined
  readonly log: Log
}

/**
 * Copies the PGlite database of a data folder to the PostgreSQL in its unfinished folder, which is empty, and compares
 * them. The old folder is kept. Afterwards PostgreSQL is stopped and has its data on the disk.
 * @throws DatabaseError; the next start begins anew.
 */
export async function carryOver({ dataDir, log, ...programs }: CarryOver): Promise<void> {
  const old = pgliteFolder(dataDir)
  log.info(`Carrying the database in ${old} over to PostgreSQL …`)
  const cluster = await startCluster({ folder: unfinishedFolder(dataDir), log, ...programs })
  try {
    const pglite = await startPglite(old)
    try {
      const target = new Client(cluster.connection)
      // If the connection is lost, the query rejects too; without a listener the event would end the server.
      target.on('error', () => undefined)
      await target.connect()
      try {
        // First the schema that the old database has; the migrations after it run when the new one is opened.
        await migrate(drizzlePostgres(target), await countMigrations(drizzlePglite(pglite)))
        await target.query(textForm)
        await target.query('begin')
        await load(target, await pgliteContents(pglite))
        await target.query('commit')
        await target.query('analyze')
      } finally {
        await target.end()
      }
    } finally {
      await pglite.close()
    }
  } catch (error) {
    throw new DatabaseError(
      `Could not carry the database in ${old} over to PostgreSQL; it is unchanged: ${rootCause(error)}`,
      { cause: error },
    )
  } finally {
    await cluster.stop()
  }
  log.info(`Carried over. ${old} is no longer used; delete it once you do not want to go back.`)
}

/**
 * Earlier versions wrote their process id into a lock file, and do not see this version's lock.
 * @throws FolderInUse if one of them still runs.
 */
export function refuseEarlierServer(dataDir: string): void {
  const path = join(dataDir, 'permeate.lock')
  const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  if (!pid || pid === process.pid) return
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return
  }
  throw new FolderInUse(
    `The data folder ${dataDir} is in use by process ${pid}, an earlier version of Permeate. Stop it first. ` +
      `If that process is another program, delete ${path}.`,
  )
}

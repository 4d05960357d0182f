/** Opens the database of the settings: the embedded one, or a PostgreSQL of the operator's. */
import type { Config } from '../core/config.ts'
import { FolderInUse } from '../core/folderLock.ts'
import type { Log } from '../core/log.ts'
import type { OpenDatabase } from '../db/database.ts'
import { addressOf, openPostgres } from '../db/postgres.ts'
import {
  openEmbedded,
  openRunning,
  reachRunning,
  refuseWithoutDatabase,
  startEmbedded,
  type Reached,
} from './openEmbedded.ts'

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'embeddedDatabase' | 'demo'>

/**
 * Opens the configured database and runs its migrations, or, without `migrates`, checks that there are none to run.
 * @throws DatabaseError, FolderError
 */
export function open(
  config: DatabaseConfig,
  log: Log,
  { migrates = true }: { readonly migrates?: boolean } = {},
): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, embeddedDatabase: kind, demo } = config
  return databaseUrl === undefined
    ? openEmbedded({ dataDir, kind, demo, log, migrates })
    : openPostgres(addressOf(databaseUrl), { migrates })
}

/**
 * Opens the database for a command: that of the running server if there is one, otherwise as the server does, but
 * without creating or migrating it. @throws DatabaseError, FolderError. PGlite cannot be opened beside its server.
 */
export async function openBeside(config: DatabaseConfig, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) refuseWithoutDatabase(config.dataDir)
  try {
    return await open(config, log, { migrates: false })
  } catch (error) {
    const running = error instanceof FolderInUse ? await openRunning(config.dataDir) : undefined
    if (running === undefined) throw error
    return running
  }
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

/**
 * Reaches the configured PostgreSQL as it is, without running migrations: that of the running server if there is one.
 * @throws DatabaseError, FolderError
 */
export async function reachBeside({ databaseUrl, dataDir }: Place, log: Log): Promise<Reached> {
  if (databaseUrl !== undefined) return reachServer(databaseUrl)
  try {
    return await startEmbedded(dataDir, log)
  } catch (error) {
    const running = error instanceof FolderInUse ? reachRunning(dataDir) : undefined
    if (running === undefined) throw error
    return running
  }
}

/**
 * Reaches the configured PostgreSQL as it is; an embedded one, which is created if needed, only while no server uses it.
 * @throws DatabaseError, FolderError
 */
export async function reachAlone({ databaseUrl, dataDir }: Place, log: Log): Promise<Reached> {
  return databaseUrl === undefined ? startEmbedded(dataDir, log, { create: true }) : reachServer(databaseUrl)
}

const reachServer = (databaseUrl: string): Reached => ({ ...addressOf(databaseUrl), close: async () => undefined })

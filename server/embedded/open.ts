/** Opens the database of the settings: the embedded one, or a PostgreSQL of the operator's. */
import type { Config } from '../core/config.ts'
import { FolderInUse } from '../core/folderLock.ts'
import type { Log } from '../core/log.ts'
import type { OpenDatabase } from '../db/database.ts'
import { addressOf, openPostgres } from '../db/postgres.ts'
import { openEmbedded, openRunning } from './openEmbedded.ts'

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'embeddedDatabase' | 'demo'>

/** Opens the configured database and runs its migrations. @throws DatabaseError, FolderError */
export function open(config: DatabaseConfig, log: Log): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, embeddedDatabase: kind, demo } = config
  return databaseUrl === undefined ? openEmbedded({ dataDir, kind, demo, log }) : openPostgres(addressOf(databaseUrl))
}

/**
 * Opens the database for a command: that of the running server if there is one, otherwise as the server does.
 * @throws DatabaseError, FolderError. PGlite cannot be opened beside its server.
 */
export async function openBeside(config: DatabaseConfig, log: Log): Promise<OpenDatabase> {
  try {
    return await open(config, log)
  } catch (error) {
    const running = error instanceof FolderInUse ? await openRunning(config.dataDir) : undefined
    if (running === undefined) throw error
    return running
  }
}

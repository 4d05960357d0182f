/** Opens the embedded database: real PostgreSQL as a child process, or PGlite where that has been accepted. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { moveIntoPlace } from '../core/durableMove.ts'
import { lockFolder } from '../core/folderLock.ts'
import type { Log } from '../core/log.ts'
import type { OpenDatabase } from '../db/database.ts'
import { DatabaseError } from '../db/databaseError.ts'
import { openPglite } from '../db/pglite.ts'
import { openPostgres, type PostgresAddress } from '../db/postgres.ts'
import { findBinaries, NoPostgres, type Binaries } from './binaries.ts'
import { carryOver, hasPgliteDatabase, refuseEarlierServer } from './carryOver.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { initialise, role } from './initialise.ts'
import { dataOf, passwordOf, pgliteFolder, postgresFolder, unfinishedFolder } from './layout.ts'
import { databaseUser } from './osUser.ts'
import { stopOrphan } from './orphan.ts'
import { readPidFile } from './pidFile.ts'

/** Which database is embedded; `undefined`: PostgreSQL, or PGlite for the demo where there is none for the machine. */
export type EmbeddedKind = 'postgres' | 'pglite' | undefined

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly kind: EmbeddedKind
  /** Whether the data is a demo's, which may be lost. */
  readonly demo: boolean
  readonly log: Log
  /** Whether pending migrations are run; otherwise there must be none. By default they are. */
  readonly migrates?: boolean
  /** Finds PostgreSQL's programs; replaced in tests. */
  readonly find?: typeof findBinaries
}

/**
 * Locks the data folder and opens its database, which is created, carried over or recovered as needed.
 * @throws FolderError, DatabaseError
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<OpenDatabase> {
  const unlock = lockFolder(options.dataDir)
  try {
    const database = await openLocked(options)
    return {
      ...database,
      close: async () => {
        await database.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function openLocked(options: EmbeddedOptions): Promise<OpenDatabase> {
  const { dataDir, kind, demo, log, find = findBinaries } = options
  const hasPostgres = existsSync(postgresFolder(dataDir))
  // Only before there is a PostgreSQL database is the one that an earlier version uses read or written.
  if (!hasPostgres) refuseEarlierServer(dataDir)
  if (kind === 'pglite') return openPgliteIn(options)
  const user = databaseUser(postgresFolder(dataDir))
  let binaries: Binaries
  try {
    binaries = await find(user)
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error
    if (hasPostgres || !demo || kind === 'postgres')
      throw new DatabaseError(
        `There is no embedded database: ${error.message}. Set DATABASE_URL to a PostgreSQL of your own, or ` +
          'EMBEDDED_DATABASE=pglite to accept that a power cut can lose or damage the data.',
        { cause: error },
      )
    const database = await openPgliteIn(options)
    log.info(`The demo runs on PGlite, where a power cut can lose or damage the data: ${error.message}.`)
    return database
  }
  const cluster = await openCluster({ dataDir, binaries, user, log })
  try {
    const database = await openPostgres(addressIn(dataDir, cluster.connection), options)
    return {
      ...database,
      close: async () => {
        await database.close()
        await cluster.stop()
      },
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** A PostgreSQL that can be connected to. */
export interface Reached extends PostgresAddress {
  /** Stops it, if it was started to be reached. */
  close(): Promise<void>
}

/**
 * Locks the data folder and starts its PostgreSQL as it is: no migrations run, but a PGlite database is carried over.
 * `create`: also where there is no database yet. @throws FolderError, DatabaseError
 */
export async function startEmbedded(
  dataDir: string,
  log: Log,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Reached> {
  if (!create) refuseWithoutDatabase(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    if (!existsSync(postgresFolder(dataDir))) refuseEarlierServer(dataDir)
    const user = databaseUser(postgresFolder(dataDir))
    const binaries = await findBinaries(user)
    const cluster = await openCluster({ dataDir, binaries, user, log })
    return { ...addressIn(dataDir, cluster.connection), close: () => cluster.stop().then(unlock) }
  } catch (error) {
    unlock()
    if (error instanceof NoPostgres)
      throw new DatabaseError(`This needs PostgreSQL: ${error.message}. Set DATABASE_URL to one of your own.`, {
        cause: error,
      })
    throw error
  }
}

/** For commands, which create no database: that of a mistyped folder is empty. @throws DatabaseError */
export function refuseWithoutDatabase(dataDir: string): void {
  if (!existsSync(postgresFolder(dataDir)) && !hasPgliteDatabase(dataDir))
    throw new DatabaseError(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`)
}

async function openPgliteIn({ dataDir, migrates }: EmbeddedOptions): Promise<OpenDatabase> {
  if (existsSync(postgresFolder(dataDir)))
    throw new DatabaseError(
      `The data folder ${dataDir} has a PostgreSQL database, which PGlite cannot open. ` +
        'Unset EMBEDDED_DATABASE, or set DATA_DIR to another folder.',
    )
  return openPglite(pgliteFolder(dataDir), { migrates })
}

interface ClusterPlace {
  readonly dataDir: string
  readonly binaries: Binaries
  readonly user: ReturnType<typeof databaseUser>
  readonly log: Log
}

/** Starts the PostgreSQL of a data folder. A new one gets its name once it is complete. */
async function openCluster({ dataDir, ...programs }: ClusterPlace): Promise<Cluster> {
  const folder = postgresFolder(dataDir)
  const unfinished = unfinishedFolder(dataDir)
  if (existsSync(unfinished)) {
    await stopOrphan(unfinished)
    // The initdb of a killed server may still write there until it notices that its PostgreSQL has ended.
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  if (!existsSync(folder)) {
    await initialise(unfinished, programs)
    if (hasPgliteDatabase(dataDir)) await carryOver({ dataDir, ...programs })
    await moveIntoPlace(unfinished, folder)
  }
  return startCluster({ folder, ...programs })
}

const addressIn = (
  dataDir: string,
  connection: Cluster['connection'] | ReturnType<typeof runningConnection>,
): PostgresAddress => ({
  // A connection is a process with memory of its own.
  connection: { ...connection, max: 6 },
  where: `in ${dataDir}`,
  folder: dataDir,
})

/** How to connect to the PostgreSQL that another process runs in a data folder; `undefined` if none does. */
function runningConnection(dataDir: string) {
  const file = readPidFile(postgresFolder(dataDir))
  if (!file?.ready) return undefined
  // The server may have a folder for temporary files of its own, as systemd gives it; there is a socket in the data, too.
  const socketFolder = existsSync(file.socketFolder) ? file.socketFolder : dataOf(postgresFolder(dataDir))
  return {
    host: file.socketFolder === '' ? '127.0.0.1' : socketFolder,
    port: file.port,
    user: role,
    password: readFileSync(passwordOf(postgresFolder(dataDir)), 'utf8'),
    database: 'postgres',
  }
}

/** Reaches the PostgreSQL of a running server; `undefined` if none runs in the data folder. */
export function reachRunning(dataDir: string): Reached | undefined {
  const connection = runningConnection(dataDir)
  return connection && { ...addressIn(dataDir, connection), close: async () => undefined }
}

/**
 * Opens the database of a running server beside it, without running migrations; `undefined` if no PostgreSQL runs there.
 * @throws DatabaseError if it cannot be reached from here, or if the server is of another version.
 */
export async function openRunning(dataDir: string): Promise<OpenDatabase | undefined> {
  const connection = runningConnection(dataDir)
  return connection && openPostgres(addressIn(dataDir, connection), { migrates: false })
}

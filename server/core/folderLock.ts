/**
 * Locks a data folder for one server. The lock is one that the operating system holds on a file, through SQLite: it ends
 * with its process, however that ends, and it is seen from another container with the same volume. A file beside it says
 * who holds it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The data folder cannot be used; the message is a sentence for the operator. */
export class FolderError extends Error {}
/** Another process uses the data folder. */
export class FolderInUse extends FolderError {}

/** Who holds the lock. Process ids are only unique on one host; each container is a host. */
export interface Holder {
  readonly pid: number
  readonly host: string
  /** ISO 8601. */
  readonly since: string
}

const lockName = 'permeate.sqlite-lock'
const holderName = 'permeate.holder.json'

/** The locks of this process. A connection that nothing refers to is closed by the garbage collector, and the lock with it. */
const held = new Set<DatabaseSync>()

/** SQLite's SQLITE_BUSY. */
const busy = 5

/**
 * Locks the folder, creating it if it is missing; returns the function that unlocks it.
 * @throws FolderInUse while another process, or this one, holds the lock.
 * @throws FolderError if the folder cannot be created, locked or written to.
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new FolderError(`Could not create the data folder ${folder}: ${String(error)}`, { cause: error })
  }
  const lock = acquire(folder)
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  const holderPath = join(folder, holderName)
  try {
    writeFileSync(holderPath, `${JSON.stringify(holder)}\n`)
  } catch (error) {
    held.delete(lock)
    lock.close()
    throw new FolderError(`Could not write ${holderPath}: ${String(error)}`, { cause: error })
  }
  let released = false
  return () => {
    if (released) return
    released = true
    held.delete(lock)
    rmSync(holderPath, { force: true })
    lock.close()
  }
}

function acquire(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(folder, lockName))
    lock.exec('begin exclusive')
    held.add(lock)
    return lock
  } catch (error) {
    lock?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy)
      throw new FolderInUse(
        `The data folder ${folder} is in use by ${describe(readHolder(folder))}. ` +
          'Stop that process, or set DATA_DIR to another folder.',
      )
    throw new FolderError(
      `Could not lock ${join(folder, lockName)}: ${error instanceof Error ? error.message : String(error)}. ` +
        'DATA_DIR must be a folder that this user can write to, on a file system with locks.',
      { cause: error },
    )
  }
}

/** Returns the holder as it last named itself; `undefined` in the moment before it has. */
function readHolder(folder: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, holderName), 'utf8')) as Holder
  } catch {
    return undefined
  }
}

const describe = (holder: Holder | undefined) =>
  holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host} since ${holder.since}`

/**
 * Locks a data folder for one server. The operating system holds the lock on a file, through SQLite: the lock ends with its
 * process, however that ends, and other containers with the same volume see it. A file beside it names the holder.
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

/** The locks of this process: without a reference, the garbage collector would close the connection and end the lock. */
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
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
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

/** Returns the holder that the file names; `undefined` while the holder has not written it yet. */
function readHolder(folder: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, holderName), 'utf8')) as Holder
  } catch {
    return undefined
  }
}

const describe = (holder: Holder | undefined) =>
  holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host} since ${holder.since}`

/** A lock file for the data folder: two processes would corrupt the embedded database. */
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseError } from './databaseError.ts'

/**
 * Locks the folder, creating it if it is missing; returns the function that unlocks it. A stale lock of a killed
 * process is replaced. Throws a `DatabaseError` while another process holds the lock.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'permeate.lock')
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw new DatabaseError(`Could not create the data folder ${folder}: ${String(error)}`, { cause: error })
  }
  // A stale lock is removed before another attempt; the loser of a race finds the winner's lock.
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await acquire(path)) {
      heldLocks.add(path)
      return () => release(path)
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    // In a container every run may have the same pid: a lock with this pid that this process does not hold is stale.
    if (holder === process.pid ? heldLocks.has(path) : holder > 0 && isRunning(holder))
      throw new DatabaseError(
        `The data folder ${folder} is in use by process ${holder}. Stop that process, or set DATA_DIR to another folder.`,
      )
    await rm(path, { force: true })
  }
  throw new DatabaseError(`Could not lock the data folder ${folder}. Remove ${path} and start again.`)
}

/** Paths of the locks that this process holds. */
const heldLocks = new Set<string>()

async function release(path: string): Promise<void> {
  heldLocks.delete(path)
  await rm(path, { force: true })
}

async function acquire(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

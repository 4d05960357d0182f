/** Keeps two processes from opening one data folder: the embedded database would be damaged. */
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseError } from './databaseError.ts'

/**
 * Takes the folder, making it where it is missing; returns what gives it back.
 * A lock whose process is gone (it was killed) is taken over. Throws a `DatabaseError` while another process holds it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'permeate.lock')
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw new DatabaseError(`The data folder ${folder} cannot be made: ${String(error)}`, { cause: error })
  }
  // A stale lock is removed and the lock tried again; who loses that race finds the winner's lock.
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await acquire(path)) {
      heldLocks.add(path)
      return () => release(path)
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    // In a container every run may have the same pid: a lock with our own that we do not hold is a dead run's.
    if (holder === process.pid ? heldLocks.has(path) : holder > 0 && isRunning(holder))
      throw new DatabaseError(
        `The data folder ${folder} is in use by process ${holder}. Stop that one, or set DATA_DIR to another folder.`,
      )
    await rm(path, { force: true })
  }
  throw new DatabaseError(`The data folder ${folder} cannot be locked. Remove ${path} and start again.`)
}

/** The locks of this process. */
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
    // Not permitted to signal it: it runs, as someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The server's MQTT client id at an external broker, which survives a restart. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fsyncFolder } from '../../core/durableMove.ts'
import { FolderInUse, lockFolder } from '../../core/folderLock.ts'
import { newId } from '../../db/id.ts'

/** Maximum servers on one data folder; each needs its own id. */
const maxServers = 100

/**
 * Claims the first client id of the data folder that no running server uses, creating one if needed.
 * @throws FolderError if all of them are in use, or the folder cannot be locked.
 */
export async function claimClientId(dataDir: string): Promise<{ clientId: string; release: () => void }> {
  for (let number = 1; ; number++) {
    const folder = join(dataDir, `server-${number}`)
    const release = tryLock(folder, number === maxServers)
    if (release === undefined) continue
    const path = join(folder, 'mqtt-client-id')
    const stored = await readFile(path, 'utf8').catch(() => '')
    if (/^permeate-[\w-]{36}$/.test(stored)) return { clientId: stored, release }
    const clientId = `permeate-${newId()}`
    // The broker keeps messages for this id, which a power cut must not lose.
    await writeFile(path, clientId, { flush: true })
    await fsyncFolder(folder)
    return { clientId, release }
  }
}

/** Locks a folder; returns `undefined` if another server has it, unless it is the last one. */
function tryLock(folder: string, isLast: boolean): (() => void) | undefined {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof FolderInUse && !isLast) return undefined
    throw error
  }
}

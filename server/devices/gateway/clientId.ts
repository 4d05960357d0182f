/** The server's MQTT client id at an external broker, which survives a restart. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '../../db/folderLock.ts'
import { newId } from '../../db/id.ts'

/** Maximum servers on one data folder; each needs its own id. */
const maxServers = 100

/**
 * Claims the first client id of the data folder that no running server uses, creating one if needed. Throws the last
 * lock's error if all client ids are in use.
 */
export async function claimClientId(dataDir: string): Promise<{ clientId: string; release: () => Promise<void> }> {
  let lockError: unknown
  for (let number = 1; number <= maxServers; number++) {
    const folder = join(dataDir, `server-${number}`)
    const release = await lockFolder(folder).catch((error: unknown) => {
      lockError = error
    })
    if (release === undefined) continue
    const path = join(folder, 'mqtt-client-id')
    const stored = await readFile(path, 'utf8').catch(() => '')
    if (/^permeate-[\w-]{36}$/.test(stored)) return { clientId: stored, release }
    const clientId = `permeate-${newId()}`
    await writeFile(path, clientId)
    return { clientId, release }
  }
  throw lockError
}

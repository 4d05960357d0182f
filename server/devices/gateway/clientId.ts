/** The id under which an outside broker knows this server, the same after a restart. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '../../db/folderLock.ts'
import { newId } from '../../db/id.ts'

/** Servers on one data folder, which each need an id of their own. */
const maxServers = 100

/** Takes the first id of the data folder that no running server holds, making one where there is none. Throws what the last lock did. */
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

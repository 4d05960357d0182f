/** Where the embedded PostgreSQL listens. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setOwner, type OsUser } from './osUser.ts'

/** Names the folders of sockets in the system's folder for temporary files. */
export const socketPrefix = 'permeate-sql-'

/** Part of the name of the socket only. */
const socketPort = 5432

/** Addresses may have 103 bytes on macOS, which is less than many data folders have. */
const maxFolderLength = 80

export interface Listening {
  readonly host: string
  readonly port: number
  /** The folder of the Unix socket; empty if it listens on a port. */
  readonly socketFolder: string
  /** Settings for PostgreSQL. */
  readonly settings: readonly string[]
  /** Removes the folder of the socket. */
  remove(): void
}

/** Chooses a Unix socket in a new folder that only the user may enter, or a port of the loopback address on Windows. */
export async function chooseSocket(user: OsUser | undefined): Promise<Listening> {
  if (process.platform === 'win32') return choosePort()
  // Root's TMPDIR may be closed to other users.
  const parent = user || tmpdir().length > maxFolderLength ? '/tmp' : tmpdir()
  const folder = mkdtempSync(join(parent, socketPrefix))
  setOwner(user, folder)
  return {
    host: folder,
    socketFolder: folder,
    port: socketPort,
    // The second one, in the data folder, shows other containers that the data is in use.
    settings: ['listen_addresses=', `port=${socketPort}`, `unix_socket_directories=${folder}, .`],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Chooses a free port of the loopback address. */
export async function choosePort(port?: number): Promise<Listening> {
  const chosen = port ?? (await freePort())
  return {
    host: '127.0.0.1',
    socketFolder: '',
    port: chosen,
    settings: ['listen_addresses=127.0.0.1', `port=${chosen}`, 'unix_socket_directories='],
    remove: () => undefined,
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port')
  return address.port
}

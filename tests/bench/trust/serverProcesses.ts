/** The processes of a server and of its PostgreSQL, and their memory, from Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { RealServer } from '../realServer.ts'

/** Returns the processes of the server's PostgreSQL, which work in its folder. */
export function databaseProcesses(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir)
      } catch {
        return false
      }
    })
}

/** Sends a signal to processes; some may have ended meanwhile. */
export function signalAll(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of processes)
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A connection's process may have ended meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
}

/** Megabytes. */
export interface Memory {
  /** Resident memory of the server's process. */
  readonly server: number
  /** Resident memory of all processes of PostgreSQL, with the memory that they share counted once. */
  readonly database: number
  /** The part of it that is not shared: shared buffers fill with pages up to their size, which is no growth. */
  readonly databasePrivate: number
}

/** Returns what a server and its database use at present. */
export function memoryOf({ process, dataDir }: RealServer): Memory {
  const server = residentOf(process)
  const database = databaseProcesses(dataDir).map(residentOf)
  const own = database.reduce((sum, one) => sum + one.all - one.shared, 0)
  return {
    server: server.all,
    database: own + Math.max(0, ...database.map(({ shared }) => shared)),
    databasePrivate: own,
  }
}

function residentOf(pid: number): { all: number; shared: number } {
  let status = ''
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    // A connection's process may have ended meanwhile.
  }
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { all: megabytes('VmRSS'), shared: megabytes('RssShmem') }
}

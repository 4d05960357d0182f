/** The file `postmaster.pid`, in which a running PostgreSQL says who it is and where it listens. */
import { readFileSync } from 'node:fs'
import { pidFileOf } from './layout.ts'

export interface PidFile {
  readonly pid: number
  readonly port: number
  /** The folder of its Unix socket; empty where it listens on TCP only. */
  readonly socketFolder: string
  /** Whether it accepts connections. */
  readonly ready: boolean
}

/** Reads the file of the PostgreSQL in a folder; `undefined` if there is none, or it is not complete. */
export function readPidFile(folder: string): PidFile | undefined {
  let text: string
  try {
    text = readFileSync(pidFileOf(folder), 'utf8')
  } catch {
    return undefined
  }
  const [pid, , , port, socketFolder = '', , , status = ''] = text.split('\n').map(line => line.trim())
  if (!Number(pid)) return undefined
  // The PostgreSQL that initdb runs writes its id as a negative number.
  return { pid: Math.abs(Number(pid)), port: Number(port), socketFolder, ready: status === 'ready' }
}

/** Explains why a port cannot be listened on. */
import { ConfigError } from './config.ts'

/** The settings that say where. */
interface Settings {
  readonly port: string
  readonly host: string
}

/** Returns a `ConfigError` for a port or host that cannot be listened on, and other errors as they are. */
export function portError(error: unknown, { port, host }: Settings): unknown {
  // A file that may not be read has the same code as a port that may not be used.
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen' && 'code' in error)) return error
  if (error.code === 'EADDRINUSE')
    return new ConfigError(`${port} is in use by another program. Stop that program, or set ${port} to another number.`)
  if (error.code === 'EACCES')
    return new ConfigError(`You do not have permission to use this ${port}. Set it to 1024 or above.`)
  if (error.code === 'EADDRNOTAVAIL') return new ConfigError(`${host} is not an address of this machine.`)
  return error
}

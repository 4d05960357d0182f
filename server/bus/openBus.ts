/** Opens the bus for the configured database. */
import type { PoolConfig } from 'pg'
import type { Config } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { localBus, type Bus } from './bus.ts'

interface BusOptions extends Pick<Config, 'databaseUrl'> {
  /** How the embedded PostgreSQL is reached; `undefined` for PGlite, which commands cannot open beside its server. */
  readonly embedded?: PoolConfig | undefined
}

/**
 * Opens a bus over PostgreSQL if it is configured, as other processes may share it. On the embedded one the server is the
 * only one, so its bus just listens to what commands on its machine publish.
 */
export async function openBus({ databaseUrl, embedded }: BusOptions, log: Log): Promise<Bus> {
  const connection = databaseUrl === undefined ? embedded : { connectionString: databaseUrl }
  if (connection === undefined) return localBus()
  const { postgresBus } = await import('./postgresBus.ts')
  return postgresBus(connection, log, { isAlone: databaseUrl === undefined })
}

/** Opens the bus for the configured database. */
import type { Config } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { localBus, type Bus } from './bus.ts'

/** Opens a bus over PostgreSQL if it is configured, as other processes may share it; otherwise a local one. */
export async function openBus({ databaseUrl }: Pick<Config, 'databaseUrl'>, log: Log): Promise<Bus> {
  if (databaseUrl === undefined) return localBus()
  const { postgresBus } = await import('./postgresBus.ts')
  return postgresBus(databaseUrl, log)
}

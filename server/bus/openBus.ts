/** The bus that fits the database. */
import type { Config } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { localBus, type Bus } from './bus.ts'

/** PostgreSQL may be shared with other processes; the embedded database belongs to this one alone. */
export async function openBus({ databaseUrl }: Pick<Config, 'databaseUrl'>, log: Log): Promise<Bus> {
  if (databaseUrl === undefined) return localBus()
  const { postgresBus } = await import('./postgresBus.ts')
  return postgresBus(databaseUrl, log)
}

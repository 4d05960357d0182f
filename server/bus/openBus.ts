/** Opens the bus for the settings. */
import type { ClientConfig, PoolConfig } from 'pg'
import type { Config } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { localBus, type Bus } from './bus.ts'
import { readNatsUrl } from '../core/natsUrl.ts'
import { identityOf } from './identity.ts'

interface BusOptions extends Pick<Config, 'databaseUrl'> {
  readonly natsUrl?: Config['natsUrl']
  /** How the embedded PostgreSQL is reached; `undefined` for PGlite, which commands cannot open beside its server. */
  readonly embedded?: PoolConfig | undefined
}

/**
 * Opens a bus over NATS if it is configured, otherwise over PostgreSQL. With NATS a server still listens to PostgreSQL, for the
 * events of operators' commands (notify.ts). The embedded PostgreSQL has one server, which only listens.
 */
export async function openBus({ databaseUrl, natsUrl, embedded }: BusOptions, log: Log): Promise<Bus> {
  const connection: ClientConfig | undefined = databaseUrl === undefined ? embedded : { connectionString: databaseUrl }
  if (connection === undefined) return localBus()
  const { sharedBus } = await import('./sharedBus.ts')
  const { postgresChannel } = await import('./postgresChannel.ts')
  const database = postgresChannel(connection)
  const address = natsUrl === undefined ? undefined : readNatsUrl(natsUrl)
  if (!address) {
    const sendsTo = databaseUrl === undefined ? undefined : database
    return sharedBus({ kind: 'postgres', channels: [database], sendsTo, log })
  }
  const { natsChannel } = await import('./natsChannel.ts')
  const nats = natsChannel(address, `permeate.${await identityOf(connection)}`)
  return sharedBus({ kind: 'nats', channels: [database, nats], sendsTo: nats, log })
}

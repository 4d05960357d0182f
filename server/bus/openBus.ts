/** Opens the bus for the settings. */
import { Client, type ClientConfig, type PoolConfig } from 'pg'
import type { Config } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { localBus, type Bus } from './bus.ts'
import { readNatsUrl } from '../core/natsUrl.ts'

/** Milliseconds for connecting and for a query. */
const timeout = 10_000

interface BusOptions extends Pick<Config, 'databaseUrl'> {
  readonly natsUrl?: Config['natsUrl']
  /** How the embedded PostgreSQL is reached; `undefined` for PGlite, which commands cannot open beside its server. */
  readonly embedded?: PoolConfig | undefined
}

/**
 * Opens a bus over NATS if it is configured, otherwise over PostgreSQL. With NATS, too, a server listens to PostgreSQL: to
 * what commands on a machine publish (notify.ts). On the embedded one the server is the only one, so that it just listens.
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

/**
 * Returns what tells a database from all others: the number that PostgreSQL gives a cluster when it is created, and the
 * database's in it. So installations that share a NATS do not hear each other.
 */
async function identityOf(connection: ClientConfig): Promise<string> {
  const client = new Client({ ...connection, connectionTimeoutMillis: timeout, query_timeout: timeout })
  // Without a listener, an 'error' event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ identity: string }>(
      `select system_identifier || '-' || oid as identity from pg_control_system(), pg_database
       where datname = current_database()`,
    )
    return rows[0]!.identity
  } finally {
    await client.end().catch(() => undefined)
  }
}

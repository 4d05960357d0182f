/** All servers on a database use the same kind of broker: commands of one kind do not reach devices of the other. */
import { Client } from 'pg'
import { ConfigError } from '../../core/config.ts'
import type { Log } from '../../core/log.ts'
import { brokerLocks } from '../../db/advisoryLocks.ts'
import { throttledLog } from './throttledLog.ts'

export type BrokerKind = 'embedded' | 'external'

const otherKind = { embedded: 'external', external: 'embedded' } as const

/**
 * The holders of an advisory lock in this database. Trying the lock would show it as well, but servers of one kind that start at
 * the same time would find each other's tries. `objid` is the whole key, because the keys are below 2³².
 */
const lockHolders = `select from pg_locks
  where locktype = 'advisory' and objid = $1 and classid = 0 and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`

/** Milliseconds until a lost connection is opened again, and for which opening waits. */
const reconnectDelay = 5000
const connectTimeout = 10_000

const refusals: Readonly<Record<BrokerKind, string>> = {
  embedded:
    'Another server on this database uses an external MQTT broker, whose devices this one would not reach. ' +
    'Set MQTT_URL to the same broker for all servers.',
  external:
    'Another server on this database is itself the MQTT broker of its devices, which this one would not reach. ' +
    'Set MQTT_URL to the same broker for all servers, and restart the other one first.',
}

/**
 * Holds a kind of broker for this server, by a lock that ends with its connection to the database. Returns the function
 * that gives it up.
 * @throws ConfigError if another server on the database uses the other kind.
 */
export async function holdBrokerKind(databaseUrl: string, kind: BrokerKind, log: Log): Promise<() => Promise<void>> {
  const logThrottled = throttledLog(log)
  let client = await lock(databaseUrl, kind)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const reconnect = async () => {
    try {
      client = await lock(databaseUrl, kind)
    } catch (error) {
      if (error instanceof ConfigError) logThrottled('Commands do not reach all devices', error)
      return lost()
    }
    if (isClosed) return client.end()
    return follow()
  }
  const lost = () => {
    if (!isClosed) timer = setTimeout(() => void reconnect(), reconnectDelay)
  }
  const follow = () => {
    client.once('end', lost)
  }
  follow()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    // Ending the connection alone gives it up a moment later.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    await client.end().catch(() => undefined)
  }
}

/** Opens a connection that holds the lock of a kind. */
async function lock(databaseUrl: string, kind: BrokerKind): Promise<Client> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: connectTimeout,
    keepAlive: true,
  })
  // 'end' follows. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    // The database notices within half a minute that this machine has failed, instead of after two hours.
    await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4')
    await client.query('select pg_advisory_lock_shared($1)', [brokerLocks[kind]])
    const { rowCount } = await client.query(lockHolders, [brokerLocks[otherKind[kind]]])
    if (rowCount !== 0) throw new ConfigError(refusals[kind])
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** The connection to an external broker, with takeover of sessions that stopped servers left behind. */
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { claimClientId } from './clientId.ts'
import { externalTransport, type Presence } from './externalTransport.ts'
import { shareGroupOf } from './shareGroup.ts'
import { openBrokerConnection, type MessageHandler, type BrokerConnection } from './transport.ts'

/**
 * Milliseconds after which another server fetches the messages of one that is disconnected. Longer than an interrupted
 * connection takes to return. A server that returns later, or meanwhile, loses nothing: it continues with its own session.
 */
const defaultTakeoverDelay = 2000
/** Maximum number of times that the delay doubles while a session cannot be taken over. */
const maxDoublings = 5

interface ExternalConnectionOptions {
  readonly url: string
  readonly dataDir: string
  readonly db: Database
  readonly log: Log
  readonly handle: MessageHandler
  /** Milliseconds; overridden in tests. */
  readonly takeoverDelay?: number
  /** Seconds between two signs of life; overridden in tests. */
  readonly keepalive?: number
}

/**
 * Connects to the broker. A broker queues messages for the session of a stopped server for up to a day. If that server
 * does not return (for example a replaced container), a running one takes its session over: it fetches the queued
 * messages and ends the session.
 */
export async function openExternalConnection(options: ExternalConnectionOptions): Promise<BrokerConnection> {
  const { url, dataDir, db, log, handle, keepalive, takeoverDelay = defaultTakeoverDelay } = options
  const group = await shareGroupOf(db)
  const { clientId, release } = await claimClientId(dataDir)
  /** Servers that are disconnected and have left a session, with how often a takeover of it has begun. */
  const gone = new Map<string, number>()
  const takeoverTimers = new Map<string, NodeJS.Timeout>()
  const takeovers = new Map<string, Promise<void>>()
  const stop = new AbortController()

  const takeOverSession = async (id: string): Promise<void> => {
    let hasEnded = false
    const transport = externalTransport({
      url,
      clientId: id,
      group,
      onPresence: () => undefined,
      takeover: true,
      onEnded: () => (hasEnded = true),
      keepalive,
    })
    // The other server has returned, the connection broke, or this server is stopping; the remaining messages stay in the session.
    const aborted = new Promise<undefined>(resolve => {
      transport.client.on('close', () => !transport.client.disconnecting && resolve(undefined))
      stop.signal.addEventListener('abort', () => resolve(undefined))
    })
    const connection = await Promise.race([openBrokerConnection(transport, silentLog, handle), aborted])
    await Promise.race([connection?.close(Infinity), aborted])
    await transport.client.endAsync(true)
    // A connection that was never made closes as well.
    if (!hasEnded) return
    gone.delete(id)
    log.info(`Took over the MQTT session of a stopped server (${id})`)
  }
  const startTakeover = (id: string) => {
    takeoverTimers.delete(id)
    gone.set(id, (gone.get(id) ?? 0) + 1)
    const takeover = takeOverSession(id)
      .catch((error: unknown) => log.error('Could not take over the MQTT session of a stopped server', error))
      .then(() => {
        takeovers.delete(id)
        scheduleTakeover(id)
      })
    takeovers.set(id, takeover)
  }
  /** Takes over the session of a server after a while, and tries again until that server or its session is no longer gone. */
  const scheduleTakeover = (id: string) => {
    // A second takeover would end the connection of the first, because they have the same client id.
    const attempts = gone.get(id)
    if (attempts === undefined || takeovers.has(id) || stop.signal.aborted) return
    clearTimeout(takeoverTimers.get(id))
    // Random and longer each time, so that servers rarely interrupt each other's takeover of the same session.
    const delay = takeoverDelay * 2 ** Math.min(attempts, maxDoublings) * (1 + Math.random() / 2)
    takeoverTimers.set(
      id,
      setTimeout(() => startTakeover(id), delay),
    )
  }
  const onPresence = (id: string, presence: Presence) => {
    if (presence === 'gone') {
      if (!gone.has(id)) gone.set(id, 0)
      scheduleTakeover(id)
      return
    }
    gone.delete(id)
    clearTimeout(takeoverTimers.get(id))
    takeoverTimers.delete(id)
  }
  const connection = await openBrokerConnection(
    externalTransport({ url, clientId, group, onPresence, keepalive }),
    log,
    handle,
  )
  return {
    ...connection,
    close: async () => {
      for (const timer of takeoverTimers.values()) clearTimeout(timer)
      stop.abort()
      await Promise.all(takeovers.values())
      await connection.close()
      release()
    },
  }
}

const silentLog: Log = { info: () => undefined, error: () => undefined }

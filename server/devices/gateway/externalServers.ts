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
  const takeoverTimers = new Map<string, NodeJS.Timeout>()
  const takeovers = new Set<Promise<void>>()
  const stop = new AbortController()

  const takeOverSession = async (id: string) => {
    const transport = externalTransport({
      url,
      clientId: id,
      group,
      onPresence: () => undefined,
      takeover: true,
      keepalive,
    })
    // The other server has returned, or this one is stopping; the remaining messages stay in the session.
    const aborted = new Promise<undefined>(resolve => {
      transport.client.on('close', () => !transport.client.disconnecting && resolve(undefined))
      stop.signal.addEventListener('abort', () => resolve(undefined))
    })
    const connection = await Promise.race([openBrokerConnection(transport, silentLog, handle), aborted])
    const isComplete = await Promise.race([connection?.close(Infinity).then(() => true), aborted])
    await transport.client.endAsync(true)
    if (isComplete) log.info(`Took over the MQTT session of a stopped server (${id})`)
  }
  const onPresence = (id: string, presence: Presence) => {
    clearTimeout(takeoverTimers.get(id))
    takeoverTimers.delete(id)
    if (presence !== 'gone' || stop.signal.aborted) return
    const fetch = () => {
      takeoverTimers.delete(id)
      const takeover = takeOverSession(id).catch((error: unknown) =>
        log.error('Could not take over the MQTT session of a stopped server', error),
      )
      takeovers.add(takeover)
      void takeover.finally(() => takeovers.delete(takeover))
    }
    // Random delay, so that servers rarely attempt the same takeover at the same time.
    takeoverTimers.set(id, setTimeout(fetch, takeoverDelay * (1 + Math.random() / 2)))
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
      await Promise.all(takeovers)
      await connection.close()
      release()
    },
  }
}

const silentLog: Log = { info: () => undefined, error: () => undefined }

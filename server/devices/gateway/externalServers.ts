/** A server among others at an outside broker: its own way there, and what others left behind. */
import type { Log } from '../../core/log.ts'
import { claimClientId } from './clientId.ts'
import { externalTransport, type Presence } from './externalTransport.ts'
import { openBrokerConnection, type MessageHandler, type BrokerConnection } from './transport.ts'

/** Milliseconds after which a server that is gone will hardly come back by itself. */
const defaultTakeoverDelay = 60_000

interface ExternalConnectionOptions {
  readonly url: string
  readonly dataDir: string
  readonly log: Log
  readonly handle: MessageHandler
  /** Shorter only in tests. */
  readonly takeoverDelay?: number
}

/**
 * Opens the wire to the broker. Brokers go on giving a server that is gone its share of the messages, for a day. So
 * where one does not come back (a container that was replaced), those that are there fetch what waits for it, and end
 * its share.
 */
export async function openExternalConnection(options: ExternalConnectionOptions): Promise<BrokerConnection> {
  const { url, dataDir, log, handle, takeoverDelay = defaultTakeoverDelay } = options
  const { clientId, release } = await claimClientId(dataDir)
  const takeoverTimers = new Map<string, NodeJS.Timeout>()
  const takeovers = new Set<Promise<void>>()
  const stop = new AbortController()

  const takeOverSession = async (id: string) => {
    const transport = externalTransport({ url, clientId: id, onPresence: () => undefined, takeover: true })
    // It came back itself, or this one is stopping: then the rest is for whoever has the session next.
    const aborted = new Promise<undefined>(resolve => {
      transport.client.on('close', () => !transport.client.disconnecting && resolve(undefined))
      stop.signal.addEventListener('abort', () => resolve(undefined))
    })
    const connection = await Promise.race([openBrokerConnection(transport, silentLog, handle), aborted])
    const isComplete = await Promise.race([connection?.close(Infinity).then(() => true), aborted])
    await transport.client.endAsync(true)
    if (isComplete) log.info(`What waited at the MQTT broker for a server that is gone was taken (${id})`)
  }
  const onPresence = (id: string, presence: Presence) => {
    clearTimeout(takeoverTimers.get(id))
    takeoverTimers.delete(id)
    if (presence !== 'gone' || stop.signal.aborted) return
    const fetch = () => {
      takeoverTimers.delete(id)
      const takeover = takeOverSession(id).catch((error: unknown) =>
        log.error('The MQTT broker keeps what was for others', error),
      )
      takeovers.add(takeover)
      void takeover.finally(() => takeovers.delete(takeover))
    }
    // Of several that see it, hardly two do it at the same time.
    takeoverTimers.set(id, setTimeout(fetch, takeoverDelay * (1 + Math.random() / 2)))
  }
  const connection = await openBrokerConnection(externalTransport({ url, clientId, onPresence }), log, handle)
  return {
    ...connection,
    close: async () => {
      for (const timer of takeoverTimers.values()) clearTimeout(timer)
      stop.abort()
      await Promise.all(takeovers)
      await connection.close()
      await release()
    },
  }
}

const silentLog: Log = { info: () => undefined, error: () => undefined }

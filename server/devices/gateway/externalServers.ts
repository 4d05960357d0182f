/** A server among others at an outside broker: its own way there, and what others left behind. */
import type { Log } from '../../core/log.ts'
import { claimClientId } from './clientId.ts'
import { externalTransport, type Presence } from './externalTransport.ts'
import { openWire, type Handle, type Wire } from './transport.ts'

/** Milliseconds after which a server that is gone will hardly come back by itself. */
const defaultPatience = 60_000

interface Parts {
  readonly url: string
  readonly dataDir: string
  readonly log: Log
  readonly handle: Handle
  /** Shorter only in tests. */
  readonly patience?: number
}

/**
 * Opens the wire to the broker. Brokers go on giving a server that is gone its share of the messages, for a day. So
 * where one does not come back (a container that was replaced), those that are there fetch what waits for it, and end
 * its share.
 */
export async function openExternalWire(parts: Parts): Promise<Wire> {
  const { url, dataDir, log, handle, patience = defaultPatience } = parts
  const { clientId, release } = await claimClientId(dataDir)
  const gone = new Map<string, NodeJS.Timeout>()
  const fetching = new Set<Promise<void>>()
  const stop = new AbortController()

  const fetchFor = async (id: string) => {
    const way = externalTransport({ url, clientId: id, hear: () => undefined, forGone: true })
    // It came back itself, or this one is stopping: then the rest is for whoever has the session next.
    const ended = new Promise<undefined>(resolve => {
      way.client.on('close', () => !way.client.disconnecting && resolve(undefined))
      stop.signal.addEventListener('abort', () => resolve(undefined))
    })
    const wire = await Promise.race([openWire(way, quiet, handle), ended])
    const all = await Promise.race([wire?.close(Infinity).then(() => true), ended])
    await way.client.endAsync(true)
    if (all) log.info(`What waited at the MQTT broker for a server that is gone was taken (${id})`)
  }
  const hear = (id: string, what: Presence) => {
    clearTimeout(gone.get(id))
    gone.delete(id)
    if (what !== 'gone' || stop.signal.aborted) return
    const fetch = () => {
      gone.delete(id)
      const fetched = fetchFor(id).catch((error: unknown) =>
        log.error('The MQTT broker keeps what was for others', error),
      )
      fetching.add(fetched)
      void fetched.finally(() => fetching.delete(fetched))
    }
    // Of several that see it, hardly two do it at the same time.
    gone.set(id, setTimeout(fetch, patience * (1 + Math.random() / 2)))
  }
  const wire = await openWire(externalTransport({ url, clientId, hear }), log, handle)
  return {
    ...wire,
    close: async () => {
      for (const timer of gone.values()) clearTimeout(timer)
      stop.abort()
      await Promise.all(fetching)
      await wire.close()
      await release()
    },
  }
}

const quiet: Log = { info: () => undefined, error: () => undefined }

/** The bus between processes: delivers events of this process at once, and sends them to the others in batches. */
import type { BusKind } from '../../src/domain/columns/servers.ts'
import type { Log } from '../core/log.ts'
import { localBus, type Bus, type BusEvent } from './bus.ts'
import type { Channel } from './channel.ts'
import { openEventBatcher } from './eventBatcher.ts'
import { keepConnected, type Link } from './link.ts'
import { payloadsOf, readPayload } from './payloads.ts'

/** Events that come all the time: those of an interval are merged (`hotInterval` of the channel), because only the last state counts. */
const hotKinds: ReadonlySet<BusEvent['kind']> = new Set(['devices', 'progress'])

interface Options {
  readonly kind: BusKind
  /** The channels from which events of other processes are received. */
  readonly channels: readonly Channel[]
  /** The one of `channels` that events are sent to; `undefined` if no other process listens. */
  readonly sendsTo: Channel | undefined
  readonly log: Log
}

/**
 * Opens the bus; rejects if a channel cannot connect. While a connection is broken, events to and from other processes are
 * lost; after a reconnect, `missed` is published, also to the others if events to them were lost.
 */
export async function sharedBus({ kind, channels, sendsTo, log }: Options): Promise<Bus> {
  const local = localBus()
  const links = new Map<Channel, Link>()
  /** Payloads since the bus was opened. A payload may stand for several events. */
  let sent = 0
  let received = 0
  let hasLostEvents = false
  let isClosed = false

  const send = async (events: readonly BusEvent[]) => {
    const link = sendsTo && links.get(sendsTo)
    const connection = link?.connection
    if (!connection) {
      hasLostEvents = true
      return
    }
    const { payloads, tooLong } = payloadsOf(events, connection.maxPayloadBytes)
    if (tooLong > 0)
      log.error('Events were too long for the event bus and were dropped', new Error(`${tooLong} payloads`))
    try {
      await connection.send(payloads)
      sent += payloads.length
    } catch (error) {
      hasLostEvents = true
      link.drop(connection, error)
    }
  }
  const batcher = openEventBatcher(send, 0)
  const hotBatcher = openEventBatcher(send, sendsTo?.hotInterval ?? 0)

  const onPayload = (payload: string) => {
    const event = readPayload(payload)
    if (!event) return
    received++
    local.publish(event)
  }
  const onReconnect = () => {
    local.publish({ kind: 'missed' })
    // Another channel may reconnect first: `missed` would be lost as well while the one that sends is not connected.
    if (!hasLostEvents || !sendsTo || !links.get(sendsTo)?.connection) return
    hasLostEvents = false
    batcher.add({ kind: 'missed' })
  }
  const closeLinks = async () => {
    await Promise.all([...links.values()].map(link => link.close()))
  }

  try {
    for (const channel of channels) links.set(channel, await keepConnected(channel, { log, onPayload, onReconnect }))
  } catch (error) {
    await closeLinks()
    throw error
  }
  return {
    publish(event) {
      local.publish(event)
      if (sendsTo && !isClosed) (hotKinds.has(event.kind) ? hotBatcher : batcher).add(event)
    },
    subscribe: local.subscribe,
    state: () => {
      const all = [...links.values()]
      return {
        kind,
        isConnected: all.every(({ connection }) => connection !== undefined),
        sent,
        received,
        disconnects: all.reduce((sum, { disconnects }) => sum + disconnects, 0),
      }
    },
    async close() {
      await Promise.all([batcher.flush(), hotBatcher.flush()])
      isClosed = true
      await local.close()
      await closeLinks()
    },
  }
}

/** The server's side of the wire: one `mqtt` client, whichever broker there is. */
import type { IPublishPacket, ISubscriptionMap, MqttClient } from 'mqtt'
import type { Log } from '../../core/log.ts'
import { acknowledgeWhenDone } from './acknowledging.ts'
import { throttledLog } from './throttledLog.ts'

/** A device's message as the server gets it. */
export interface Arrived {
  readonly topic: string
  readonly payload: Buffer
  /** It waited at the broker while no server took it, perhaps with many others. */
  readonly backlog: boolean
}
/** Resolves once a message is stored, or dropped; one for which it rejects is not acknowledged. */
export type Handle = (message: Arrived) => Promise<void>

export const bytesOf = ({ payload }: { readonly payload: string | Buffer }): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

/** What is under way, as seen by who leaves. */
export interface Work {
  /** Begins nothing more: what comes from now on stays with the broker. */
  stop(): void
  /** Resolves once nothing is being worked on. */
  idle(): Promise<void>
}

/** A broker as the wire sees it: how it is reached, and what is particular about it. */
export interface Transport {
  readonly client: MqttClient
  /** What to subscribe to. */
  readonly filters: ISubscriptionMap
  /** Seconds for which the broker may keep a command for its device, where it can forget one. */
  readonly expiry?: number
  /** Called whenever the filters are subscribed to. */
  subscribed?(): Promise<void>
  /** The device's message in what the broker sent; `undefined` where there is none. */
  unwrap(packet: IPublishPacket): Arrived | undefined
  /** A message has been handled, or could not be. */
  settled(packet: IPublishPacket, handled: boolean): void
  /** Leaves the broker in such a way that no message is lost. */
  leave(work: Work): Promise<void>
}

export interface Wire {
  /** Sends to a device. Rejects where there is no broker to send it to. */
  send(topic: string, payload: string): Promise<void>
  /** Finishes what is being worked on, and leaves; what does not end within `most` milliseconds is left undone. */
  close(most?: number): Promise<void>
}

/** Milliseconds for which the start waits for the broker; after that it is tried beside. */
const startTimeout = 5000
/** The broker has it still. */
const stopTimeout = 10_000

/** Opens the wire. */
export async function openWire(way: Transport, log: Log, handle: Handle): Promise<Wire> {
  const { client } = way
  let stopped = false
  const complain = throttledLog(log)
  const underway = acknowledgeWhenDone(client, async packet => {
    const message = way.unwrap(packet)
    if (message === undefined) return
    if (stopped) throw new Error('The server is stopping')
    try {
      await handle(message)
    } catch (error) {
      complain('Messages of devices cannot be stored', error)
      way.settled(packet, false)
      throw error
    }
    way.settled(packet, true)
  })
  const work: Work = {
    stop: () => {
      stopped = true
    },
    idle: async () => {
      while (underway.size > 0) await Promise.allSettled(underway)
    },
  }
  tellOutages(client, log)
  await within(startTimeout, subscribing(way, log))
  return {
    send: async (topic, payload) => {
      if (!client.connected) throw new Error('The MQTT broker cannot be reached')
      const { expiry } = way
      const properties = expiry === undefined ? {} : { properties: { messageExpiryInterval: expiry } }
      await client.publishAsync(topic, payload, { qos: 1, ...properties })
    },
    close: async (most = stopTimeout) => {
      await within(
        most,
        way.leave(work).catch((error: unknown) => log.error('Leaving the MQTT broker failed', error)),
      )
      await client.endAsync(true)
    },
  }
}

/** Subscribes on every connection: the broker may have forgotten. Resolves after the first. */
function subscribing(way: Transport, log: Log): Promise<void> {
  const { client, filters } = way
  const subscribe = async () => {
    try {
      const granted = await client.subscribeAsync(filters)
      const refused = granted.filter(({ qos }) => qos > 2).map(({ topic }) => topic)
      if (refused.length > 0) log.info(`The MQTT broker lets this server not subscribe to ${refused.join(', ')}`)
      await way.subscribed?.()
    } catch (error) {
      log.error('Subscribing at the MQTT broker failed', error)
    }
  }
  return new Promise(resolve => {
    client.on('connect', () => void subscribe().then(resolve))
  })
}

/** One line when the broker goes, or cannot be reached from the start, and one when it is back. */
function tellOutages(client: MqttClient, log: Log): void {
  let told = false
  const tell = (error: Error) => {
    if (!told && !client.disconnecting) log.error('The MQTT broker cannot be reached; trying again', error)
    told = true
  }
  client.on('error', tell)
  client.on('close', () => tell(new Error('The connection was closed')))
  client.on('connect', () => {
    if (told) log.info('The MQTT broker is there')
    told = false
  })
}

/** Waits for something, but not longer. */
async function within(milliseconds: number, something: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>(resolve => {
    if (milliseconds < Infinity) timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([something, enough])
  clearTimeout(timer)
}

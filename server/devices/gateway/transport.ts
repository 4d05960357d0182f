/** The server's side of the wire: one `mqtt` client, whichever broker there is. */
import type { IPublishPacket, ISubscriptionMap, MqttClient } from 'mqtt'
import type { Log } from '../../core/log.ts'
import { acknowledgeWhenDone } from './acknowledgeWhenDone.ts'
import { throttledLog } from './throttledLog.ts'

/** A device's message as the server gets it. */
export interface DeviceMessage {
  readonly topic: string
  readonly payload: Buffer
  /** It waited at the broker while no server took it, perhaps with many others. */
  readonly backlog: boolean
}
/** Resolves once a message is stored, or dropped; one for which it rejects is not acknowledged. */
export type MessageHandler = (message: DeviceMessage) => Promise<void>

export const bytesOf = ({ payload }: { readonly payload: string | Buffer }): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

/** What is under way, as seen by who leaves. */
export interface ActiveWork {
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
  unwrap(packet: IPublishPacket): DeviceMessage | undefined
  /** A message has been handled, or could not be. */
  handled(packet: IPublishPacket, succeeded: boolean): void
  /** Leaves the broker in such a way that no message is lost. */
  leave(work: ActiveWork): Promise<void>
}

export interface BrokerConnection {
  /** Sends to a device. Rejects where there is no broker to send it to. */
  send(topic: string, payload: string): Promise<void>
  /** Finishes what is being worked on, and leaves; what does not end within `most` milliseconds is left undone. */
  close(timeout?: number): Promise<void>
}

/** Milliseconds for which the start waits for the broker; after that it is tried beside. */
const startTimeout = 5000
/** The broker has it still. */
const stopTimeout = 10_000

/** Opens the wire. */
export async function openBrokerConnection(
  transport: Transport,
  log: Log,
  handle: MessageHandler,
): Promise<BrokerConnection> {
  const { client } = transport
  let stopped = false
  const logThrottled = throttledLog(log)
  const underway = acknowledgeWhenDone(client, async packet => {
    const message = transport.unwrap(packet)
    if (message === undefined) return
    if (stopped) throw new Error('The server is stopping')
    try {
      await handle(message)
    } catch (error) {
      logThrottled('Messages of devices cannot be stored', error)
      transport.handled(packet, false)
      throw error
    }
    transport.handled(packet, true)
  })
  const work: ActiveWork = {
    stop: () => {
      stopped = true
    },
    idle: async () => {
      while (underway.size > 0) await Promise.allSettled(underway)
    },
  }
  logOutages(client, log)
  await withTimeout(startTimeout, subscribeOnConnect(transport, log))
  return {
    send: async (topic, payload) => {
      if (!client.connected) throw new Error('The MQTT broker cannot be reached')
      const { expiry } = transport
      const properties = expiry === undefined ? {} : { properties: { messageExpiryInterval: expiry } }
      await client.publishAsync(topic, payload, { qos: 1, ...properties })
    },
    close: async (timeout = stopTimeout) => {
      await withTimeout(
        timeout,
        transport.leave(work).catch((error: unknown) => log.error('Leaving the MQTT broker failed', error)),
      )
      await client.endAsync(true)
    },
  }
}

/** Subscribes on every connection: the broker may have forgotten. Resolves after the first. */
function subscribeOnConnect(transport: Transport, log: Log): Promise<void> {
  const { client, filters } = transport
  const subscribe = async () => {
    try {
      const granted = await client.subscribeAsync(filters)
      const refused = granted.filter(({ qos }) => qos > 2).map(({ topic }) => topic)
      if (refused.length > 0) log.info(`The MQTT broker lets this server not subscribe to ${refused.join(', ')}`)
      await transport.subscribed?.()
    } catch (error) {
      log.error('Subscribing at the MQTT broker failed', error)
    }
  }
  return new Promise(resolve => {
    client.on('connect', () => void subscribe().then(resolve))
  })
}

/** One line when the broker goes, or cannot be reached from the start, and one when it is back. */
function logOutages(client: MqttClient, log: Log): void {
  let logged = false
  const logOutage = (error: Error) => {
    if (!logged && !client.disconnecting) log.error('The MQTT broker cannot be reached; trying again', error)
    logged = true
  }
  client.on('error', logOutage)
  client.on('close', () => logOutage(new Error('The connection was closed')))
  client.on('connect', () => {
    if (logged) log.info('The MQTT broker is there')
    logged = false
  })
}

/** Waits for something, but not longer. */
async function withTimeout(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<void>(resolve => {
    if (milliseconds < Infinity) timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, timedOut])
  clearTimeout(timer)
}

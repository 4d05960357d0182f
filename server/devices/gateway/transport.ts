/** The server's connection to an external MQTT broker. */
import type { IPublishPacket, ISubscriptionMap, MqttClient } from 'mqtt'
import pLimit from 'p-limit'
import type { Log } from '../../core/log.ts'
import { acknowledgeWhenDone } from './acknowledgeWhenDone.ts'
import { throttledLog } from './throttledLog.ts'

/** A message of a device. */
export interface DeviceMessage {
  readonly topic: string
  readonly payload: Buffer
  /** Whether the message was queued at the broker while no server was connected. */
  readonly backlog: boolean
  /** When another gateway received it, which has handed it on, milliseconds UTC; `undefined`: now. */
  readonly receivedAt?: number
}
/** Resolves once a message is stored or dropped; on rejection the message is not acknowledged. */
export type MessageHandler = (message: DeviceMessage) => Promise<void>

export const bytesOf = ({ payload }: { readonly payload: string | Buffer }): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

/** The messages that are being processed; a transport waits for them before it disconnects. */
export interface ActiveWork {
  /** Rejects further messages, so that they stay with the broker. */
  stop(): void
  /** Resolves once no message is being processed. */
  idle(): Promise<void>
}

/** A session at the broker: what is subscribed to, and how messages are read and the session is left. */
export interface Transport {
  readonly client: MqttClient
  /** Topic filters to subscribe to; none if it only publishes. */
  readonly filters: ISubscriptionMap
  /** Message expiry of commands in seconds, if the broker supports it. */
  readonly expiry?: number
  /** Called after every subscription. */
  onSubscribed?(): Promise<void>
  /** Returns the device message in a packet, or `undefined` if it contains none. */
  unwrap(packet: IPublishPacket): DeviceMessage | undefined
  /** Called when processing a message has ended. */
  onHandled(packet: IPublishPacket, succeeded: boolean): void
  /** Disconnects without losing messages. */
  disconnect(work: ActiveWork): Promise<void>
}

export interface BrokerConnection {
  /** Publishes to a device. Rejects if the broker is not connected. */
  send(topic: string, payload: string): Promise<void>
  /** Returns whether the broker is connected now. */
  isConnected(): boolean
  /** Finishes processing and disconnects, within `timeout` milliseconds. */
  close(timeout?: number): Promise<void>
}

/** Milliseconds for which opening waits for the broker; after that it retries in the background. */
const startTimeout = 5000
/** Milliseconds for a clean disconnect; unfinished messages stay with the broker. */
export const stopTimeout = 10_000

/**
 * Maximum messages that are handled at a time, and that a broker sends without an acknowledgement; it queues the rest, so
 * that a slow database does not exhaust memory.
 */
export const maxMessages = 2000

/** Connects to the broker and passes messages of devices to `handle`. */
export async function openBrokerConnection(
  transport: Transport,
  log: Log,
  handle: MessageHandler,
): Promise<BrokerConnection> {
  const { client } = transport
  let isStopped = false
  const logThrottled = throttledLog(log)
  // What is handled when a connection breaks goes on, while the broker sends the same again on the next one, which waits.
  const limited = pLimit({ concurrency: maxMessages, rejectOnClear: true })
  client.on('close', () => limited.clearQueue())
  const running = acknowledgeWhenDone(client, async packet => {
    const message = transport.unwrap(packet)
    if (message === undefined) return
    await limited(async () => {
      if (isStopped) throw new Error('The server is stopping')
      try {
        await handle(message)
      } catch (error) {
        logThrottled('Could not store messages of devices', error)
        transport.onHandled(packet, false)
        throw error
      }
      transport.onHandled(packet, true)
    })
  })
  const work: ActiveWork = {
    stop: () => {
      isStopped = true
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running)
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
    isConnected: () => client.connected,
    close: async (timeout = stopTimeout) => {
      await withTimeout(
        timeout,
        transport
          .disconnect(work)
          .catch((error: unknown) => log.error('Could not disconnect cleanly from the MQTT broker', error)),
      )
      await client.endAsync(true)
    },
  }
}

/** Subscribes on every connection, because the broker may have lost the session. Resolves after the first. */
function subscribeOnConnect(transport: Transport, log: Log): Promise<void> {
  const { client, filters } = transport
  const subscribe = async () => {
    if (Object.keys(filters).length === 0) return
    try {
      const granted = await client.subscribeAsync(filters)
      const refused = granted.filter(({ qos }) => qos > 2).map(({ topic }) => topic)
      if (refused.length > 0) log.info(`The MQTT broker refused the subscription to ${refused.join(', ')}`)
      await transport.onSubscribed?.()
    } catch (error) {
      log.error('Could not subscribe at the MQTT broker', error)
    }
  }
  return new Promise(resolve => {
    client.on('connect', () => void subscribe().then(resolve))
  })
}

/** Logs once when the broker becomes unreachable, and once when it is back. */
function logOutages(client: MqttClient, log: Log): void {
  let isOutageLogged = false
  const logOutage = (error: Error) => {
    if (!isOutageLogged && !client.disconnecting) log.error('The MQTT broker cannot be reached; trying again', error)
    isOutageLogged = true
  }
  client.on('error', logOutage)
  client.on('close', () => logOutage(new Error('The connection was closed')))
  client.on('connect', () => {
    if (isOutageLogged) log.info('The MQTT broker is reachable again')
    isOutageLogged = false
  })
}

/** Resolves when the work resolves or the time has passed. */
export async function withTimeout(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<void>(resolve => {
    if (milliseconds < Infinity) timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, timedOut])
  clearTimeout(timer)
}

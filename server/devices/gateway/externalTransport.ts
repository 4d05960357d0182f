/**
 * Transport to an external broker over MQTT 5. Servers share the devices' messages by shared subscriptions. Sessions
 * are persistent, so that unacknowledged messages are redelivered after a crash.
 */
import { connect, type IPublishPacket } from 'mqtt'
import { acknowledgementTimeout } from '../link.ts'
import { deviceTopics, allDevicesFilter } from '../../protocol/topics.ts'
import { earlierGroup } from './shareGroup.ts'
import { bytesOf, maxMessages, type Transport } from './transport.ts'

/**
 * Seconds between two signs of life. A broker closes the connection of a server that is silent for 1.5 times as long
 * (MQTT 5, 3.1.2.10), and publishes that it is gone: after 4.5 s, or up to 9.5 s with Mosquitto, which looks every 5 s.
 * Another server then waits 2 to 3 s before it fetches the messages that wait for it (externalServers.ts). So readings
 * wait less than 15 s for a server whose machine has failed. If only its process has ended, the broker notices at once.
 */
const defaultKeepalive = 3
/** Seconds for which the broker keeps the session of a disconnected server. */
const sessionExpiry = 86_400
/** Milliseconds after a failure until reconnecting, which makes the broker redeliver unacknowledged messages. */
const reconnectDelay = 5000

/** Topics on which servers publish their presence as retained messages: `here`, `gone`, or empty for `ended`. */
const serversRoot = 'permeate/servers/'
const sharedFilters = (group: string) => deviceTopics.map(kind => `$share/${group}/${allDevicesFilter(kind)}`)

/** Presence of a server: connected, disconnected with a session at the broker, or disconnected without one. */
export type Presence = 'here' | 'gone' | 'ended'

export interface ExternalOptions {
  /** The broker's URL, which may contain user and password. */
  readonly url: string
  readonly clientId: string
  /** The name of the group in which servers share messages, see `shareGroup.ts`. */
  readonly group: string
  /** Called with the presence of other servers. */
  readonly onPresence: (clientId: string, presence: Presence) => void
  /** Whether to fetch the queued messages of a stopped server's session and then end it. */
  readonly takeover?: boolean
  /** Called once the session has ended and all of its messages were handled. */
  readonly onEnded?: () => void
  /** Seconds; overridden in tests. */
  readonly keepalive?: number | undefined
}

/** Returns the transport to an external broker. */
export function externalTransport(options: ExternalOptions): Transport {
  const { url, clientId, group, onPresence, takeover = false, onEnded, keepalive = defaultKeepalive } = options
  const ownTopic = serversRoot + clientId
  const markTopic = `${ownTopic}/mark`
  const client = connect(url, {
    protocolVersion: 5,
    clientId,
    clean: false,
    keepalive,
    connectTimeout: 10_000,
    // A takeover must not reconnect: a closed connection means that the session's owner has returned.
    reconnectPeriod: takeover ? 0 : 1000,
    resubscribe: false,
    properties: { sessionExpiryInterval: sessionExpiry, receiveMaximum: maxMessages },
    ...(!takeover && { will: { topic: ownTopic, payload: Buffer.from('gone'), qos: 1, retain: true } }),
  })
  const otherServers = new Set<string>()
  const echoes = new Map<string, () => void>()
  let reconnectTimer: NodeJS.Timeout | undefined
  let backlog = true
  let isLeaving = false
  /** Whether messages of the session could not be stored. The broker delivers them again only on the next connection. */
  let hasUnstored = false

  /** Publishes a message to this session and waits until it returns: all messages queued before have then arrived. */
  const publishAndAwaitEcho = async (topic: string, payload: string, retain = false) => {
    const echoed = new Promise<void>(resolve => echoes.set(payload, resolve))
    await client.publishAsync(topic, payload, { qos: 1, retain })
    await echoed
  }
  client.on('connect', () => {
    // The subscription that follows delivers the presence of all servers again.
    otherServers.clear()
    backlog = true
    // On a connection that is made while leaving, messages may still be on their way.
    hasUnstored = isLeaving
    if (!takeover) client.publish(ownTopic, 'here', { qos: 1, retain: true })
  })
  client.on('close', () => {
    clearTimeout(reconnectTimer)
    reconnectTimer = undefined
  })
  const handlePresence = ({ topic, payload }: IPublishPacket) => {
    const status = String(payload)
    if (topic === ownTopic || topic === markTopic) {
      echoes.get(status)?.()
      echoes.delete(status)
      return
    }
    const id = topic.slice(serversRoot.length)
    if (status === 'here') otherServers.add(id)
    else otherServers.delete(id)
    onPresence(id, status === 'here' || status === 'gone' ? status : 'ended')
  }
  /**
   * Processes the session's remaining messages; other servers receive later messages. Ends the session unless a message
   * could not be stored: then the session is still `gone`, and is taken over again.
   */
  const endSession = async (idle: () => Promise<void>) => {
    await client.unsubscribeAsync([...sharedFilters(group), ...sharedFilters(earlierGroup)])
    await publishAndAwaitEcho(markTopic, 'leaving')
    await idle()
    if (hasUnstored) return
    await client.publishAsync(ownTopic, '', { qos: 1, retain: true })
    await client.endAsync(false, { properties: { sessionExpiryInterval: 0 } })
    onEnded?.()
  }
  return {
    client,
    expiry: acknowledgementTimeout / 1000,
    filters: Object.fromEntries(
      [...(takeover ? [] : sharedFilters(group)), `${serversRoot}+`, markTopic].map(filter => [
        filter,
        { qos: 1 as const },
      ]),
    ),
    onSubscribed: async () => {
      // After the subscription, so that no message is without a receiver.
      await client.unsubscribeAsync(sharedFilters(earlierGroup))
      await publishAndAwaitEcho(markTopic, 'caught up')
      backlog = false
    },
    unwrap: packet => {
      if (packet.topic.startsWith(serversRoot)) {
        handlePresence(packet)
        return undefined
      }
      // Retained messages are ignored, because their age is unknown.
      return packet.retain ? undefined : { topic: packet.topic, payload: bytesOf(packet), backlog }
    },
    onHandled: (_, succeeded) => {
      if (succeeded) return
      hasUnstored = true
      // The broker redelivers unacknowledged messages only on the next connection.
      reconnectTimer ??= setTimeout(() => client.stream.destroy(), reconnectDelay)
    },
    disconnect: async work => {
      isLeaving = true
      if (!client.connected) return
      if (takeover) return endSession(work.idle)
      clearTimeout(reconnectTimer)
      // The broker delivers these messages to all servers in the same order, so of servers that stop together exactly
      // the last one sees no other. It keeps its session, which queues messages until a server is back.
      await publishAndAwaitEcho(ownTopic, 'gone', true)
      if (otherServers.size > 0) return endSession(work.idle)
      work.stop()
      await work.idle()
    },
  }
}

/**
 * The way to an outside broker, over MQTT 5. Servers share the devices' messages by shared subscriptions. A server's
 * session outlives its connection, so that messages it has not acknowledged come again after it was killed.
 */
import { connect, type IPublishPacket } from 'mqtt'
import { acknowledgementTimeout } from '../link.ts'
import { deviceTopics, everyDevice } from '../../protocol/topics.ts'
import { bytesOf, type Transport } from './transport.ts'

/** Seconds for which the broker keeps messages for a server that is away. */
const sessionExpiry = 86_400
/** Messages that the broker sends without an acknowledgement: it keeps the rest, so a slow database fills no memory. */
const receiveMaximum = 2000
/** Milliseconds after a failure until the broker is asked for what was not acknowledged. */
const reconnectDelay = 5000

/** Where servers know of each other: each leaves a retained message there, of whether it is `here` or `gone`. */
const serversRoot = 'permeate/servers/'
const sharedFilters = deviceTopics.map(last => `$share/permeate/${everyDevice(last)}`)

/** Of a server: it is there, it is gone with its session left behind, or it has left nothing. */
export type Presence = 'here' | 'gone' | 'left'

export interface ExternalOptions {
  /** The broker's address; it may hold user and password. */
  readonly url: string
  readonly clientId: string
  /** Hears of the other servers, by their client ids. */
  readonly onPresence: (clientId: string, presence: Presence) => void
  /** Only to fetch what waits in the session of a server that is gone. */
  readonly takeover?: boolean
}

export function externalTransport({ url, clientId, onPresence, takeover = false }: ExternalOptions): Transport {
  const ownTopic = serversRoot + clientId
  const markTopic = `${ownTopic}/mark`
  const client = connect(url, {
    protocolVersion: 5,
    clientId,
    clean: false,
    keepalive: 30,
    connectTimeout: 10_000,
    // Whose session it is comes back: then it must be left alone.
    reconnectPeriod: takeover ? 0 : 1000,
    resubscribe: false,
    properties: { sessionExpiryInterval: sessionExpiry, receiveMaximum },
    ...(!takeover && { will: { topic: ownTopic, payload: Buffer.from('gone'), qos: 1, retain: true } }),
  })
  const others = new Set<string>()
  const echoes = new Map<string, () => void>()
  let reconnectTimer: NodeJS.Timeout | undefined
  let backlog = true

  /** Resolves once it has come back, and with it all that the broker had for this session before. */
  const throughBroker = async (topic: string, payload: string, retain = false) => {
    const echoed = new Promise<void>(resolve => echoes.set(payload, resolve))
    await client.publishAsync(topic, payload, { qos: 1, retain })
    await echoed
  }
  client.on('connect', () => {
    // The broker tells of all that are there with the subscription that follows.
    others.clear()
    backlog = true
    if (!takeover) client.publish(ownTopic, 'here', { qos: 1, retain: true })
  })
  const handlePresence = ({ topic, payload }: IPublishPacket) => {
    const status = String(payload)
    if (topic === ownTopic || topic === markTopic) {
      echoes.get(status)?.()
      echoes.delete(status)
      return
    }
    const id = topic.slice(serversRoot.length)
    if (status === 'here') others.add(id)
    else others.delete(id)
    onPresence(id, status === 'here' || status === 'gone' ? status : 'left')
  }
  /** Finishes what the session was sent, and ends it: the other servers get what comes from now on. */
  const endSession = async (idle: () => Promise<void>) => {
    await client.unsubscribeAsync(sharedFilters)
    await throughBroker(markTopic, 'leaving')
    await idle()
    await client.publishAsync(ownTopic, '', { qos: 1, retain: true })
    await client.endAsync(false, { properties: { sessionExpiryInterval: 0 } })
  }
  return {
    client,
    expiry: acknowledgementTimeout / 1000,
    filters: Object.fromEntries(
      [...(takeover ? [] : sharedFilters), `${serversRoot}+`, markTopic].map(filter => [filter, { qos: 1 as const }]),
    ),
    subscribed: async () => {
      await throughBroker(markTopic, 'caught up')
      backlog = false
    },
    unwrap: packet => {
      if (packet.topic.startsWith(serversRoot)) {
        handlePresence(packet)
        return undefined
      }
      // A retained message was sent who knows when.
      return packet.retain ? undefined : { topic: packet.topic, payload: bytesOf(packet), backlog }
    },
    handled: (_, succeeded) => {
      if (succeeded) return
      // What was not acknowledged is sent again on the next connection, and not before.
      reconnectTimer ??= setTimeout(() => {
        reconnectTimer = undefined
        client.stream.destroy()
      }, reconnectDelay)
    },
    leave: async work => {
      clearTimeout(reconnectTimer)
      if (!client.connected) return
      if (takeover) return endSession(work.idle)
      // The broker brings such farewells to all in one order: of servers that stop together, exactly the last one sees
      // no other. Its session stays, and collects what devices say until a server is back.
      await throughBroker(ownTopic, 'gone', true)
      if (others.size > 0) return endSession(work.idle)
      work.stop()
      await work.idle()
    },
  }
}

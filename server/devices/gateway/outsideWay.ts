/**
 * The way to an outside broker, over MQTT 5. Servers share the devices' messages by shared subscriptions. A server's
 * session outlives its connection, so that messages it has not acknowledged come again after it was killed.
 */
import { connect, type IPublishPacket } from 'mqtt'
import { acknowledgementTimeout } from '../link.ts'
import { deviceTopics, everyDevice } from '../protocol/topics.ts'
import { claimClientId } from './clientId.ts'
import { bytesOf, type Way } from './wire.ts'

/** Seconds for which the broker keeps messages for a server that is away. */
const sessionExpiry = 86_400
/** Messages that the broker sends without an acknowledgement: it keeps the rest, so a slow database fills no memory. */
const receiveMaximum = 2000
/** Milliseconds after a failure until the broker is asked for what was not acknowledged. */
const pauseAfterFailure = 5000

/** Where servers that use the same broker know of each other: each leaves a retained message. */
const serversRoot = 'permeate/servers'

const share = (filter: string) => `$share/permeate/${filter}`

/** `url` may hold user and password. The client id is kept in `dataDir`. */
export async function outsideWay(url: string, dataDir: string): Promise<Way> {
  const { clientId, release } = await claimClientId(dataDir)
  const ownTopic = `${serversRoot}/${clientId}`
  const client = connect(url, {
    protocolVersion: 5,
    clientId,
    clean: false,
    keepalive: 30,
    connectTimeout: 10_000,
    reconnectPeriod: 1000,
    resubscribe: false,
    properties: { sessionExpiryInterval: sessionExpiry, receiveMaximum },
    will: { topic: ownTopic, payload: Buffer.alloc(0), qos: 1, retain: true },
  })
  const others = new Set<string>()
  /** A message on the own topic that is waited for. */
  let awaited: { readonly payload: string; readonly heard: () => void } | undefined
  let again: NodeJS.Timeout | undefined

  client.on('connect', () => {
    // The broker tells of all that are there with the subscription that follows.
    others.clear()
    client.publish(ownTopic, 'here', { qos: 1, retain: true })
  })

  /** Resolves once all that the broker had for this server before has come. */
  const throughBroker = async (payload: string, retain: boolean) => {
    const heard = new Promise<void>(resolve => {
      awaited = { payload, heard: resolve }
    })
    await client.publishAsync(ownTopic, payload, { qos: 1, retain })
    await heard
  }
  const hearOfServer = ({ topic, payload }: IPublishPacket) => {
    if (topic === ownTopic) {
      if (awaited?.payload === String(payload)) awaited.heard()
    } else if (payload.length > 0) others.add(topic)
    else others.delete(topic)
  }
  return {
    client,
    expiry: acknowledgementTimeout / 1000,
    filters: Object.fromEntries(
      [...deviceTopics.map(last => share(everyDevice(last))), `${serversRoot}/+`].map(filter => [
        filter,
        { qos: 1 as const },
      ]),
    ),
    unwrap: packet => {
      if (packet.topic.startsWith(`${serversRoot}/`)) {
        hearOfServer(packet)
        return undefined
      }
      // A retained message was sent who knows when.
      return packet.retain ? undefined : { topic: packet.topic, payload: bytesOf(packet) }
    },
    settled: (_, handled) => {
      if (handled) return
      // What was not acknowledged is sent again on the next connection, and not before.
      again ??= setTimeout(() => {
        again = undefined
        client.stream.destroy()
      }, pauseAfterFailure)
    },
    leave: async work => {
      clearTimeout(again)
      try {
        if (!client.connected) return
        // The broker brings such farewells to all in one order: of servers that stop together, exactly the last one
        // sees no other.
        await throughBroker('', true)
        if (others.size === 0) {
          // The session stays, and collects what devices say until a server is back.
          work.stop()
          await work.idle()
          return
        }
        // The others get what comes from now on; what this one was sent it finishes, and its session ends.
        await client.unsubscribeAsync(deviceTopics.map(last => share(everyDevice(last))))
        await throughBroker('leaving', false)
        await work.idle()
        await client.endAsync(false, { properties: { sessionExpiryInterval: 0 } })
      } finally {
        await release()
      }
    },
  }
}

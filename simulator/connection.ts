/** One MQTT connection of a device to the broker. */
import { connect } from 'mqtt'
import { setTimeout as wait } from 'node:timers/promises'
import type { FleetDevice } from '../server/protocol/fleetFile.ts'
import type { LastWill } from '../server/protocol/messages.ts'
import { topicOf, wireName, type DeviceTopic } from '../server/protocol/topics.ts'

export interface Connection {
  /** Whether the broker has accepted the device and its subscription. */
  readonly isUp: boolean
  /** Publishes at QoS 1. `done` is called on acknowledgement or error, and never if the connection breaks first. */
  publish(kind: DeviceTopic, message: object, done: (error?: Error) => void): void
  /** Drops the connection as a network failure would, so the broker publishes the last will. */
  cut(): void
  /** Disconnects once pending messages are acknowledged, after `leaveTimeout` at the latest. */
  disconnect(): Promise<void>
  /** Publishes the last will, because a clean disconnect discards it, and disconnects. */
  leave(): Promise<void>
}

export interface ConnectionOptions {
  readonly url: string
  readonly device: Pick<FleetDevice, 'bssid' | 'secret'>
  /** Called once the connection is up and subscribed to commands. */
  readonly onUp: () => void
  /** Called exactly once, when the connection has ended or could not be opened. */
  readonly onClosed: () => void
  readonly onCommand: (payload: Buffer) => void
}

/** What the broker publishes when the connection breaks, or the device itself before it sleeps. */
const lastWill: LastWill = { offline: true }
/** MQTT keep-alive in seconds. */
const keepalive = 120
/** Milliseconds that a clean disconnect may take. */
const leaveTimeout = 2000

export function openConnection({
  url,
  device: { bssid, secret },
  onUp,
  onClosed,
  onCommand,
}: ConnectionOptions): Connection {
  const client = connect(url, {
    protocolVersion: 4,
    clientId: wireName(bssid),
    username: wireName(bssid),
    password: secret,
    clean: true,
    keepalive,
    connectTimeout: 30_000,
    // The simulation schedules reconnects, so that not all devices reconnect at once.
    reconnectPeriod: 0,
    will: {
      topic: topicOf(bssid, 'state'),
      payload: Buffer.from(JSON.stringify(lastWill)),
      qos: 1,
      retain: false,
    },
  })
  let subscribed = false
  client.on('connect', () => {
    // A broker may process later packets before the subscription, so wait for its acknowledgement.
    client.subscribe(topicOf(bssid, 'command'), { qos: 1 }, error => {
      if (error) return void client.end(true)
      subscribed = true
      onUp()
    })
  })
  client.on('message', (_, payload) => onCommand(payload))
  client.once('close', () => {
    client.end(true)
    onClosed()
  })
  // 'close' follows and handles it.
  client.on('error', () => undefined)
  const publish: Connection['publish'] = (kind, message, done) =>
    // Contrary to its types, the client passes null if there was no error.
    client.publish(topicOf(bssid, kind), JSON.stringify(message), { qos: 1 }, error => done(error ?? undefined))
  const disconnect = async () => {
    await Promise.race([client.endAsync(), wait(leaveTimeout, undefined, { ref: false })])
    client.end(true)
  }
  return {
    get isUp() {
      return subscribed && client.connected
    },
    publish,
    cut: () => client.stream.destroy(),
    disconnect,
    leave: () => {
      publish('state', lastWill, () => undefined)
      return disconnect()
    },
  }
}

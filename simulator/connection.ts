/** One connection of a device to the broker, from its opening to its end. */
import { connect } from 'mqtt'
import { setTimeout as wait } from 'node:timers/promises'
import type { FleetDevice } from '../server/protocol/fleetFile.ts'
import { topicOf, wireName, type DeviceTopic } from '../server/protocol/topics.ts'

export interface Connection {
  /** Whether it stands: the broker has taken the device. */
  readonly isUp: boolean
  /** Sends at QoS 1; `done` is called once it is acknowledged, or with an error, or not at all. */
  publish(last: DeviceTopic, message: object, done: (error?: Error) => void): void
  /** Breaks it off as a lost network does: the broker publishes the last will. */
  cut(): void
  /** Leaves in good order, once what was sent is acknowledged, if that does not take long. */
  disconnect(): Promise<void>
}

export interface ConnectionOptions {
  readonly url: string
  readonly device: Pick<FleetDevice, 'bssid' | 'secret'>
  /** It stands, and the device hears commands. */
  readonly onUp: () => void
  /** It is over, or never stood; once, whoever ended it. */
  readonly onClosed: () => void
  readonly onCommand: (payload: Buffer) => void
}

/** Seconds between signs of life; readings count as such. */
const keepalive = 120
/** Milliseconds that an orderly end may take. */
const leaveTimeout = 2000

export function openConnection({ url, device: { bssid, secret }, onUp, onClosed, onCommand }: ConnectionOptions): Connection {
  const client = connect(url, {
    protocolVersion: 4,
    clientId: wireName(bssid),
    username: wireName(bssid),
    password: secret,
    clean: true,
    keepalive,
    connectTimeout: 30_000,
    // When to try again is the fleet's matter: not all of it at once.
    reconnectPeriod: 0,
    will: {
      topic: topicOf(bssid, 'state'),
      payload: Buffer.from(JSON.stringify({ offline: true })),
      qos: 1,
      retain: false,
    },
  })
  let subscribed = false
  client.on('connect', () => {
    // A broker may take what follows before it has taken the subscription: what it answers is waited for.
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
  // It is followed by 'close'.
  client.on('error', () => undefined)
  return {
    get isUp() {
      return subscribed && client.connected
    },
    publish: (last, message, done) => client.publish(topicOf(bssid, last), JSON.stringify(message), { qos: 1 }, done),
    cut: () => client.stream.destroy(),
    disconnect: async () => {
      await Promise.race([client.endAsync(), wait(leaveTimeout, undefined, { ref: false })])
      client.end(true)
    },
  }
}

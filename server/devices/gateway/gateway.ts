/** The gateway to devices over MQTT: receives their messages and sends commands. */
import type { Certificate } from '../../core/certificate.ts'
import type { Config } from '../../core/config.ts'
import type { Database, Serving } from '../../db/database.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import type { Link } from '../link.ts'
import type { Command } from '../../protocol/messages.ts'
import { topicOf } from '../../protocol/topics.ts'
import { openBroker, type Broker, type DeviceConnection } from './broker.ts'
import { joinBrokers, type Brokers } from './brokers.ts'
import { openCommandLink } from './commandLink.ts'
import { openDeviceCache } from './deviceCache.ts'
import type { DropCounter } from './rateLimit.ts'
import type { Endpoint } from './listeners.ts'
import { watchCredentials } from './endedCredentials.ts'
import { openHandOn, type HandingOn } from './handOn.ts'
import { createReceiver, type Receivers } from './receive.ts'
import { openSignIn } from './signIn.ts'
import type { BrokerConnection } from './transport.ts'

/** What is measured of the embedded broker, or of the connection to an external one. */
export type BrokerState =
  | { readonly kind: 'embedded'; countConnections(): Promise<number>; countDevices(): number }
  | { readonly kind: 'external'; isConnected(): boolean }

export interface Gateway {
  readonly link: Link
  readonly brokerState: BrokerState
  /** Ports of the embedded broker, without and with TLS; `undefined` if it does not listen there. */
  readonly mqttPort: number | undefined
  readonly mqttsPort: number | undefined
  /** Stops accepting messages, finishes running work and disconnects from the broker. */
  close(): Promise<void>
}

interface GatewayOptions {
  readonly db: Database
  /** For commands that calls send. */
  readonly serving: Pick<Serving, 'db'>
  readonly config: Pick<Config, 'mqttHost' | 'mqttPort' | 'mqttsPort' | 'mqttUrl' | 'dataDir'>
  /** For TLS. */
  readonly certificate?: Certificate | undefined
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  readonly ingest: { readonly add: Receivers['readings'] }
  readonly states: { readonly report: Receivers['state'] }
  readonly drops: DropCounter
  /** How messages are handed on, if several gateways at one external broker do so. */
  readonly handingOn?: HandingOn | undefined
  /** Milliseconds for an acknowledgement and until a takeover, and seconds of keep-alive; overridden in tests. */
  readonly timeout?: number
  readonly takeoverDelay?: number
  readonly keepalive?: number
}

/**
 * Opens the gateway on the embedded broker, or on the one at `mqttUrl`. Throws a `ConfigError` if the embedded
 * broker cannot listen; an unreachable external broker is retried in the background.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { db, config, bus, log, now, ingest, states, drops, handingOn } = options
  const deviceCache = openDeviceCache(db)
  const { mqttUrl } = config
  let broker: Broker | undefined
  let brokers: Brokers | undefined
  let unwatchCredentials: (() => void) | undefined
  let connection: Pick<BrokerConnection, 'send' | 'close'>
  let brokerState: BrokerState
  const listen = (setting: Endpoint['setting'], port: number | undefined, certificate?: Certificate) =>
    port === undefined
      ? undefined
      : broker?.listen({ host: config.mqttHost, port, setting, ...(certificate && { certificate }) })
  const deliver = (bssid: string, command: Command) =>
    connection.send(topicOf(bssid, 'command'), JSON.stringify(command))
  const link = openCommandLink({
    ...options,
    // All servers reach all devices through an external broker.
    send: (bssid, command) => (brokers ? brokers.send(bssid, command) : deliver(bssid, command)),
  })
  const receive = createReceiver(deviceCache, drops, {
    readings: (...message) => ingest.add(...message),
    state: (...message) => states.report(...message),
    acknowledgement: link.acknowledge,
  })
  const handOn = handingOn && openHandOn({ ...handingOn, now, receive })
  const handle = handOn?.handle ?? receive
  if (mqttUrl === undefined) {
    const onSignIn = (device: DeviceConnection) => brokers?.onSignIn(device)
    broker = connection = await openBroker({ signIn: openSignIn(db), onSignIn, handle, drops, log })
    brokers = joinBrokers({ ...options, broker, deliver })
    unwatchCredentials = watchCredentials({ db, bus, log, broker })
    const { countConnections, connections } = broker
    brokerState = { kind: 'embedded', countConnections, countDevices: () => connections().length }
  } else {
    // Its client takes time to load, which servers with their own broker save.
    const { openExternalConnection } = await import('./externalServers.ts')
    const external = await openExternalConnection({ ...options, url: mqttUrl, dataDir: config.dataDir, handle })
    connection = external
    brokerState = { kind: 'external', isConnected: external.isConnected }
  }
  const unsubscribe = bus.subscribe(event => {
    if (event.kind === 'deleted') deviceCache.forget(event.bssids)
  })
  const close = async () => {
    unsubscribe()
    unwatchCredentials?.()
    brokers?.close()
    broker?.stopAccepting()
    await handOn?.close()
    await link.close()
    await connection.close()
  }
  try {
    // Listens last, so that no message of a device is lost.
    const mqttPort = await listen('MQTT_PORT', config.mqttPort)
    const mqttsPort = await listen('MQTTS_PORT', config.mqttsPort, options.certificate)
    return { link, brokerState, mqttPort, mqttsPort, close }
  } catch (error) {
    await close()
    throw error
  }
}

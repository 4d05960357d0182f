/** The gateway to devices over MQTT: receives their messages and sends commands. */
import type { Config } from '../../core/config.ts'
import type { Database } from '../../db/database.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import type { Link } from '../link.ts'
import { openBroker, type Broker } from './broker.ts'
import { openCommandLink } from './commandLink.ts'
import { embeddedTransport } from './embeddedTransport.ts'
import { openDeviceCache } from './deviceCache.ts'
import type { DropCounter } from './rateLimit.ts'
import { openExternalConnection } from './externalServers.ts'
import { createReceiver, type Receivers } from './receive.ts'
import { openSignIn } from './signIn.ts'
import { openBrokerConnection, type BrokerConnection } from './transport.ts'

export interface Gateway {
  readonly link: Link
  /** Port of the embedded broker; `undefined` with an external one. */
  readonly mqttPort: number | undefined
  /** Stops accepting messages, finishes running work and disconnects from the broker. */
  close(): Promise<void>
}

interface GatewayOptions {
  readonly db: Database
  readonly config: Pick<Config, 'mqttHost' | 'mqttPort' | 'mqttUrl' | 'dataDir'>
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  readonly ingest: { readonly add: Receivers['readings'] }
  readonly states: { readonly report: Receivers['state'] }
  readonly drops: DropCounter
  /** Milliseconds for an acknowledgement and until a takeover; overridden in tests. */
  readonly timeout?: number
  readonly takeoverDelay?: number
}

/**
 * Opens the gateway on the embedded broker, or on the one at `mqttUrl`. Throws a `ConfigError` if the embedded
 * broker cannot listen; an unreachable external broker is retried in the background.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { db, config, bus, log, ingest, states, drops } = options
  const deviceCache = openDeviceCache(db)
  const { mqttUrl } = config
  let broker: Broker | undefined
  let connection: BrokerConnection
  const link = openCommandLink({ ...options, send: (topic, payload) => connection.send(topic, payload) })
  const handle = createReceiver(deviceCache, drops, {
    readings: (bssid, readings) => ingest.add(bssid, readings),
    state: (bssid, state) => states.report(bssid, state),
    acknowledgement: link.acknowledge,
  })
  if (mqttUrl === undefined) {
    broker = await openBroker({ signIn: openSignIn(db), drops, log })
    connection = await openBrokerConnection(embeddedTransport(broker), log, handle)
  } else connection = await openExternalConnection({ ...options, url: mqttUrl, dataDir: config.dataDir, handle })
  const unsubscribe = bus.subscribe(event => {
    if (event.kind !== 'deleted') return
    deviceCache.forget(event.bssids)
    broker?.disconnect(event.bssids)
  })
  const close = async () => {
    unsubscribe()
    broker?.stopAccepting()
    await link.close()
    await connection.close()
    await broker?.close()
  }
  try {
    // Listens last, so that no message of a device is lost.
    await broker?.listen(config.mqttHost, config.mqttPort)
  } catch (error) {
    await close()
    throw error
  }
  return { link, mqttPort: broker?.port, close }
}

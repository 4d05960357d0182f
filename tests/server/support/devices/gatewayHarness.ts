/** A gateway on either broker, with a few demo devices that can connect. Received readings and states are recorded. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { asc } from 'drizzle-orm'
import { afterAll, afterEach } from 'vitest'
import { executable } from '../../../../scripts/testPrograms.ts'
import type { Bus } from '../../../../server/bus/bus.ts'
import type { Certificate } from '../../../../server/core/certificate.ts'
import type { Database } from '../../../../server/db/database.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { createCredentials, storeCredentials } from '../../../../server/devices/gateway/credentials.ts'
import { openGateway, type Gateway } from '../../../../server/devices/gateway/gateway.ts'
import type { Ingest } from '../../../../server/devices/ingest/readings.ts'
import type { HandingOn } from '../../../../server/devices/gateway/handOn.ts'
import { openDropCounter, type DropCounter } from '../../../../server/devices/gateway/rateLimit.ts'
import type { LastWill, Reading, State } from '../../../../server/protocol/messages.ts'
import { freePort } from '../../../support/ports.ts'
import { until } from '../../../support/until.ts'
import { startServer, type ServerOptions, type TestServer } from '../harness.ts'
import { startMosquitto } from '../processes/mosquitto.ts'
import { connectDevice, type TestDevice } from './testDevice.ts'
import { setStatus } from './deviceRows.ts'

type Broker = 'embedded' | 'mosquitto'
/** The brokers available on this machine. */
export const brokers: readonly Broker[] = executable('mosquitto') ? ['embedded', 'mosquitto'] : ['embedded']

export interface OpenGateway extends Gateway {
  readonly drops: DropCounter
  /** The log and the readings of this gateway only. */
  readonly log: string[]
  readonly received: { readonly bssid: string; readonly reading: Reading }[]
}

interface GatewayOptions {
  readonly timeout?: number
  readonly mqttPort?: number
  /** By default that of the test's other gateways. */
  readonly dataDir?: string
  /** By default the one of the test's other gateways, as within a process. */
  readonly bus?: Bus
  /** The way to the external broker, by default the direct one. */
  readonly mqttUrl?: (url: string) => string
  readonly keepalive?: number
  readonly handingOn?: HandingOn
  /** By default one that only records the readings. */
  readonly ingest?: Pick<Ingest, 'add'>
  /** For TLS. */
  readonly mqttsPort?: number
  readonly certificate?: Certificate
}

export interface TestGateways {
  readonly server: TestServer
  readonly bssids: readonly string[]
  /** The readings and states of all gateways, in order. */
  readonly readings: { readonly bssid: string; readonly reading: Reading }[]
  readonly states: {
    readonly bssid: string
    readonly state: State | LastWill
    readonly receivedAt?: number | undefined
  }[]
  /** Stores readings; resolves at once unless a test replaces it. */
  store: () => Promise<void>
  /** Opens a gateway, always on the same port; it is closed at the end of the test at the latest. */
  open(options?: GatewayOptions): Promise<OpenGateway>
  /** Connects a device, by default with its own credentials. */
  device(bssid: string, options?: Partial<Parameters<typeof connectDevice>[0]>): Promise<TestDevice>
  /** The MQTT URL for devices. */
  url(): string
  /** The MQTT URL for servers, with their password. For an external broker only. */
  serverUrl(): string
  restartBroker(meanwhile?: () => Promise<void>): Promise<void>
}

const deviceCount = 12

/**
 * Waits until nothing listens on a port that this process has closed. A process that another test starts holds a copy of
 * the closed socket from its fork until its program runs.
 */
const portClosed = (port: number): Promise<void> =>
  until(async () => {
    const probe = createServer().listen(port, '127.0.0.1')
    await once(probe, 'listening')
    probe.close()
    await once(probe, 'close')
  })

/** Starts server and broker without a gateway; to be called once in a file for each broker. */
export async function startGateways(broker: Broker, serverOptions?: ServerOptions): Promise<TestGateways> {
  const server = await startServer(serverOptions)
  const { db, serving, bus, clock } = server
  const credentials = await createCredentials(await someDevices(db))
  await storeCredentials(db, credentials, clock.now())
  const external = broker === 'mosquitto' ? await startMosquitto(credentials) : undefined
  const opened = new Set<Gateway>()
  const connected = new Set<TestDevice>()
  const mqttPort = await freePort()

  const tests: TestGateways = {
    server,
    bssids: credentials.map(({ bssid }) => bssid),
    readings: [],
    states: [],
    store: async () => undefined,
    open: async ({ mqttPort: port = mqttPort, mqttsPort, mqttUrl, dataDir = server.dataDir, ...options } = {}) => {
      const url = external && (mqttUrl?.(external.serverUrl) ?? external.serverUrl)
      if (port === mqttPort) await portClosed(port)
      const log: string[] = []
      const received: OpenGateway['received'] = []
      const sink = { info: (text: string) => log.push(text), error: (text: string) => log.push(text) }
      const drops = openDropCounter({ log: sink })
      const gateway = await openGateway({
        db,
        serving,
        bus,
        drops,
        log: sink,
        now: clock.now,
        config: { mqttHost: '127.0.0.1', mqttPort: port, mqttsPort, mqttUrl: url, dataDir },
        ingest: {
          add: async (bssid, readings) => {
            await tests.store()
            for (const reading of readings) for (const list of [received, tests.readings]) list.push({ bssid, reading })
          },
        },
        states: { report: async (bssid, state, receivedAt) => void tests.states.push({ bssid, state, receivedAt }) },
        // Short, so that tests do not wait for servers that stay stopped.
        takeoverDelay: 100,
        ...options,
      })
      opened.add(gateway)
      const close = async () => {
        if (opened.delete(gateway)) await gateway.close()
      }
      return { ...gateway, drops, log, received, close }
    },
    device: async (bssid, options = {}) => {
      const secret = credentials.find(each => each.bssid === bssid)?.secret ?? ''
      const device = await connectDevice({ url: tests.url(), bssid, secret, ...options })
      connected.add(device)
      return device
    },
    url: () => external?.deviceUrl ?? `mqtt://127.0.0.1:${mqttPort}`,
    serverUrl: () => external!.serverUrl,
    restartBroker: async meanwhile => external?.restart(meanwhile),
  }
  const closeAll = async () => {
    for (const device of connected) await device.leave('cut off')
    connected.clear()
    for (const gateway of opened) await gateway.close()
    opened.clear()
  }
  afterEach(async () => {
    tests.store = async () => undefined
    await closeAll()
  })
  afterAll(closeAll)
  return tests
}

/** Sets the devices to a status that accepts commands, which offline does not. */
async function someDevices(db: Database): Promise<string[]> {
  const rows = await db.select().from(devices).orderBy(asc(devices.bssid)).limit(deviceCount)
  const bssids = rows.map(({ bssid }) => bssid)
  await setStatus(db, 0, bssids)
  return bssids
}

/** Memory and processor time of a connected device in each kind of broker: the server's own, and Mosquitto beside a server. */
import { execFileSync } from 'node:child_process'
import { executable } from '../../../scripts/testPrograms.ts'
import type { Bench, LongPart } from '../bench.ts'
import { launchBrokerFor } from './ownBroker.ts'
import { startDevices, stopDevices } from './simulated.ts'
import { figure, progress, report } from '../figures.ts'
import { shareOf, type Share } from '../processes.ts'
import { startRealServer, type RealServer } from '../realServer.ts'

/** About a twentieth of the devices are offline. */
const fleet = 5_000
/** Milliseconds for which the processes are measured: one reading of each device. */
const measured = 60_000
const postgres = /postgres/

/** Connects all devices; returns what `share` returns before and while they are connected. */
async function connect(
  bench: Bench,
  server: Pick<RealServer, 'mqttUrl' | 'dataDir'>,
  share: (milliseconds: number) => Promise<readonly Share[]>,
) {
  const before = await share(1_000)
  const devices = await startDevices(server)
  bench.after(() => stopDevices(devices))
  const connected = await share(measured)
  await stopDevices(devices)
  return { before, connected }
}

function reportProgram(name: string, before: Share, connected: Share): void {
  report(
    figure(`${name} before ${fleet} devices connect`, 'MB', [before.memory], null),
    figure(`${name} with them, a reading a minute`, 'MB', [connected.memory], null),
    figure(`${name} with them: processor`, '% of a core', [connected.cpu], null),
  )
}

async function measure(bench: Bench): Promise<void> {
  if (executable('mosquitto') === undefined) {
    progress('  left out: Mosquitto is not installed')
    return
  }
  progress('Devices at the embedded broker …')
  const embedded = await startRealServer(undefined, fleet)
  bench.after(() => embedded.remove())
  const own = await connect(bench, embedded, async time => [(await shareOf(embedded.process, time, postgres)).others])
  reportProgram('server with the embedded broker', own.before[0]!, own.connected[0]!)
  await embedded.stop()

  progress('Devices at Mosquitto …')
  const mosquitto = await launchBrokerFor(embedded.dataDir)
  bench.after(() => mosquitto.stop())
  // With its owner and permissions, without which PostgreSQL does not start.
  const copy = (dataDir: string) => void execFileSync('cp', ['-a', `${embedded.dataDir}/.`, dataDir])
  const server = await startRealServer(undefined, fleet, copy, { MQTT_URL: mosquitto.serverUrl })
  bench.after(() => server.remove())
  const beside = await connect(bench, { ...server, mqttUrl: mosquitto.deviceUrl }, async time => {
    const [broker, { others }] = await Promise.all([
      shareOf(mosquitto.process, time, postgres),
      shareOf(server.process, time, postgres),
    ])
    return [broker.others, others]
  })
  reportProgram('Mosquitto', beside.before[0]!, beside.connected[0]!)
  reportProgram('server beside Mosquitto', beside.before[1]!, beside.connected[1]!)
}

/** The fleet is created and connected twice. */
export const brokersPart: LongPart = { limit: 10 * 60_000, measure }

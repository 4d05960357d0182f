/** Memory and processor time of a server and its PostgreSQL by the number of devices that are connected to its broker. */
import type { Bench, LongPart } from './bench.ts'
import { startDevices, stopDevices } from './devices/simulated.ts'
import { figure, progress, report } from './figures.ts'
import { shareOf } from './processes.ts'
import { startRealServer } from './realServer.ts'

/** The devices of each fleet. About a twentieth of the devices are offline. */
const fleets = [1_000, 10_000, 20_000]
/** Milliseconds for which a server is measured: two readings of each device. */
const measured = 120_000
const postgres = /postgres/

/** Measures a server with a fleet: first without connections, then while all devices report each minute. */
async function measureFleet(bench: Bench, fleet: number): Promise<void> {
  const name = `${fleet.toLocaleString('en')} devices`
  progress(`${name} …`)
  const server = await startRealServer(undefined, fleet)
  bench.after(() => server.remove())
  const before = await shareOf(server.process, 1_000, postgres)
  const devices = await startDevices(server)
  bench.after(() => stopDevices(devices))
  const connected = await shareOf(server.process, measured, postgres)
  report(
    figure(`server before ${name} connect`, 'MB', [before.others.memory], null),
    figure(`server with ${name}, a reading a minute`, 'MB', [connected.others.memory], null),
    figure(`its PostgreSQL with ${name}`, 'MB', [connected.matching.memory], null),
    figure(`server with ${name}: processor`, '% of a core', [connected.others.cpu], null),
    figure(`its PostgreSQL with ${name}: processor`, '% of a core', [connected.matching.cpu], null),
  )
  await stopDevices(devices)
  await server.stop()
}

async function measure(bench: Bench): Promise<void> {
  for (const fleet of fleets) await measureFleet(bench, fleet)
}

/** Each fleet is created, connected and measured, which takes minutes. */
export const connectionsPart: LongPart = { limit: 20 * 60_000, measure }

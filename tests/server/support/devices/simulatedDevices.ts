/** Devices of the simulator in the process of a test, which records what they did. */
import { asc } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../../server/db/database.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { createCredentials, storeCredentials } from '../../../../server/devices/gateway/credentials.ts'
import type { DeviceEvent } from '../../../../simulator/deviceLog.ts'
import { readOptions } from '../../../../simulator/options.ts'
import { startSimulation } from '../../../../simulator/simulation.ts'
import { until } from '../../../support/until.ts'
import { setStatus } from './deviceRows.ts'

/** Lets the first devices of the demo connect, and returns their BSSIDs with their secrets. They are not offline. */
export async function admitDevices(db: Database, count: number, now: Date): Promise<ReadonlyMap<string, string>> {
  const rows = await db.select({ bssid: devices.bssid }).from(devices).orderBy(asc(devices.bssid)).limit(count)
  const bssids = rows.map(({ bssid }) => bssid)
  await setStatus(db, 0, bssids)
  const credentials = await createCredentials(bssids)
  await storeCredentials(db, credentials, now)
  return new Map(credentials.map(({ bssid, secret }) => [bssid, secret]))
}

export interface SimulatedDevices {
  /** What they did, in order. */
  readonly events: readonly DeviceEvent[]
  /** Returns how often they executed a command. */
  executed(): number
}

/**
 * Connects the devices of a fleet file that are not offline, until the end of the test, and resolves once all of them have
 * been connected. They quickly connect again.
 */
export async function simulateDevices(
  fleet: string,
  url: string,
  args: readonly string[] = [],
): Promise<SimulatedDevices> {
  const events: DeviceEvent[] = []
  const usual = ['--draws', 'off', '--interval', '1h', '--connects', '2000', '--max-back-off', '1s']
  const simulation = await startSimulation(readOptions(['--fleet', fleet, '--url', url, ...usual, ...args]), {
    onConnected: () => undefined,
    log: () => undefined,
    record: event => events.push(event),
  })
  onTestFinished(() => simulation.stop())
  await until(() => {
    const connected = new Set(events.filter(({ did }) => did === 'connected').map(({ bssid }) => bssid)).size
    const all = simulation.counts().devices
    if (connected < all) throw new Error(`${connected} of ${all} devices have connected`)
  })
  return { events, executed: () => events.filter(({ did }) => did === 'executed').length }
}

/** A Mosquitto for the devices of a server's demo fleet. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { createCredentials } from '../../../server/devices/gateway/credentials.ts'
import { launchMosquitto, type Mosquitto } from '../../support/mosquitto.ts'
import { readFleet } from './wire.ts'

/** Gives the devices in a data folder's fleet file new secrets, and starts a broker that knows the hashes of these. */
export async function launchBrokerFor(dataDir: string): Promise<Mosquitto> {
  const path = fleetPath(dataDir)
  const credentials = await createCredentials(readFleet(path).map(({ bssid }) => bssid))
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const changed = lines.map((line, index) =>
    JSON.stringify({ ...(JSON.parse(line) as object), secret: credentials[index]!.secret }),
  )
  writeFileSync(path, `${changed.join('\n')}\n`, { mode: 0o600 })
  return launchMosquitto(credentials)
}

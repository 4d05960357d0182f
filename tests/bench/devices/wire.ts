/** Devices of a fleet file on the wire, with no more of the protocol than sending needs. */
import { readFileSync } from 'node:fs'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { FleetDevice } from '../../../server/protocol/fleetFile.ts'
import { wireName } from '../../../server/protocol/topics.ts'

/** A device, and its password. */
export type Credentials = Pick<FleetDevice, 'bssid' | 'secret'>

/** Returns the first devices of a fleet file, by default all. */
export const readFleet = (path: string, count?: number): Credentials[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(0, count)
    .map(line => FleetDevice.parse(JSON.parse(line)))

/** Connects a device as it would, without signs of life. */
export function connectDevice(
  url: string,
  { bssid, secret }: Credentials,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const name = wireName(bssid)
  return connectAsync(url, {
    clientId: name,
    username: name,
    password: secret,
    protocolVersion: 4,
    keepalive: 0,
    ...options,
  })
}

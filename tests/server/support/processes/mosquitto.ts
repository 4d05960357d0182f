/** A Mosquitto for a test file. */
import { afterAll } from 'vitest'
import type { NewCredential } from '../../../../server/devices/gateway/credentials.ts'
import { launchMosquitto, type Mosquitto } from '../../../support/mosquitto.ts'

/** Starts a Mosquitto that accepts these devices; it is stopped after the file's last test. */
export async function startMosquitto(devices: readonly NewCredential[]): Promise<Mosquitto> {
  const mosquitto = await launchMosquitto(devices)
  afterAll(mosquitto.stop)
  return mosquitto
}

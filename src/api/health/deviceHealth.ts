/** Reads the health of a device. */
import useSWR from 'swr'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import type { HealthRange } from '../../store/deviceHealth.ts'
import { call } from '../client.ts'
import { findings } from '../contract/findings.ts'
import { health } from '../contract/health/endpoints.ts'
import type { DeviceHealth } from '../contract/health/device.ts'
import { useRefreshOptions, type Key } from '../hooks.ts'

/** With the path of the device, so that refreshing devices refreshes it, and with that of its findings. */
const healthKey = (bssid: string, range: HealthRange): Key => [
  health.ofDevice.path,
  { bssid, range },
  findings.list.path,
]

/** A response with what it is the answer to: while another one loads, it is still shown. */
export interface HealthOfRange {
  readonly bssid: string
  readonly range: HealthRange
  readonly health: DeviceHealth
}

const readHealth = async (bssid: string, range: HealthRange): Promise<HealthOfRange> => ({
  bssid,
  range,
  health: await call(health.ofDevice, { params: { bssid }, query: { range, zone: systemTimeZone() } }),
})

/**
 * Reads a device's health and keeps it up to date; nothing without a device. The previous range stays until the next one
 * has loaded.
 */
export const useDeviceHealth = (bssid: string | undefined, range: HealthRange) =>
  useSWR<HealthOfRange>(
    bssid === undefined ? null : healthKey(bssid, range),
    () => readHealth(bssid ?? '', range),
    useRefreshOptions(),
  )

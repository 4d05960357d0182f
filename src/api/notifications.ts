/** Reading notifications: those of some devices, and how many nobody has looked at. */
import useSWR from 'swr'
import { call } from './client.ts'
import { notifications, type Notification } from './contract/notifications.ts'
import { useKeptUp } from './hooks.ts'

/** The most devices that one question may name. */
export const mostDevices = 500

/** Keys in the short spelling, which keeps an address of 500 of them short enough. */
export const devicesQuery = (bssids: readonly string[]): string =>
  bssids
    .slice(0, mostDevices)
    .map(bssid => bssid.replaceAll(':', ''))
    .join(',')

/**
 * The newest `limit` (1–1000) notifications of these devices, newest first; none of no devices. Of more than 500
 * devices only the first 500 are asked about. What is told on the stream is in it a moment later.
 */
export const useDeviceNotifications = (bssids: readonly string[], limit: number) =>
  useSWR<Notification[]>(
    bssids.length > 0 ? [notifications.list.path, { devices: devicesQuery(bssids), limit }] : null,
    async ([, query]: [string, { devices: string; limit: number }]) => (await call(notifications.list, { query })).data,
    useKeptUp(),
  )

/** The devices that the console has read so far. */
import { unstable_serialize } from 'swr'
import { cache } from '../../api/cache.ts'
import type { Device } from '../../api/contract/devices.ts'
import type { List } from '../../api/contract/endpoint.ts'
import { listEndpoints } from '../../api/lists.ts'

/** What the keys of all pages of the devices' list start with. */
const pageKey = unstable_serialize([listEndpoints.devices.path])

/**
 * Returns the rows of these devices that are on any cached page of the devices' list; of several, the one on the page
 * opened last. Reads nothing.
 */
export function knownDevices(ids: ReadonlySet<string>): readonly Device[] {
  const known = new Map<string, Device>()
  for (const key of cache.keys()) {
    const page = key.startsWith(pageKey) ? (cache.get(key)?.data as List<Device> | undefined) : undefined
    for (const device of page?.data ?? []) if (ids.has(device.bssid)) known.set(device.bssid, device)
  }
  return [...known.values()]
}

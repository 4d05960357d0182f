/** The devices that the console has read so far. */
import { unstable_serialize } from 'swr'
import { useSnapshot } from 'valtio'
import { cache } from '../../api/cache.ts'
import type { Device } from '../../api/contract/devices.ts'
import type { List } from '../../api/contract/endpoint.ts'
import { useList } from '../../api/hooks.ts'
import { queryOf } from '../../api/readList.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { lists, type ListState } from '../../store/lists.ts'
import type { DeviceItem } from '../../store/selection.ts'

/** What the keys of all pages of the devices' list start with. */
const pageKey = unstable_serialize([listDefinitions.devices.endpoint.path])

/** Returns the known devices among these, and renders again when the page on screen changes. */
export function useKnownDevices(targets: readonly DeviceItem[]): readonly Device[] {
  useList('devices', queryOf(useSnapshot(lists.devices) as ListState))
  return knownDevices(new Set(targets.map(({ id }) => id)))
}

/**
 * Returns the rows of these devices that are on any cached page of the devices' list; of several, the one on the page
 * opened last. Reads nothing.
 */
function knownDevices(ids: ReadonlySet<string>): readonly Device[] {
  const known = new Map<string, Device>()
  for (const key of cache.keys()) {
    const page = key.startsWith(pageKey) ? (cache.get(key)?.data as List<Device> | undefined) : undefined
    for (const device of page?.data ?? []) if (ids.has(device.bssid)) known.set(device.bssid, device)
  }
  return [...known.values()]
}

/** All rows that match a search, fetched page by page in the largest pages there are. */
import type { ListState } from '../store/lists.ts'
import { call } from './client.ts'
import { devices, type Device } from './contract/devices.ts'
import { mostPerCall } from './contract/endpoint.ts'
import { queryOf } from './hooks.ts'

/** Reports how far it is, and whether to go on. */
export interface Progress {
  /** Between 0 and 1, and what to say of it. */
  at(done: number, total: number): void
  readonly signal: AbortSignal
}

export async function matchingDevices(list: Readonly<ListState>, progress: Progress): Promise<readonly Device[]> {
  // By key, whatever the list is sorted by: an order that readings change would skip rows between pages.
  const { search, column, operator } = queryOf(list)
  const found = new Map<string, Device>()
  for (let offset = 0, count = 1; offset < count; offset += mostPerCall) {
    const page = await call(devices.list, {
      query: { offset, limit: mostPerCall, search, column, operator },
      signal: progress.signal,
    })
    for (const device of page.data) found.set(device.bssid, device)
    count = page.count
    progress.at(Math.min(offset + mostPerCall, count), count)
  }
  return [...found.values()]
}

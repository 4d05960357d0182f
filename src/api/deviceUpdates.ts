/** Merges device updates from the stream into cached lists and details. */
import type { Device, DeviceDetail } from './contract/devices.ts'
import type { List } from './contract/endpoint.ts'

type DeviceUpdates = ReadonlyMap<string, Device>

/**
 * Returns the list with changed rows replaced. Unchanged rows stay the same objects, so their components do not render;
 * without a change the list itself is returned.
 */
export function updateList(list: List<Device>, changed: DeviceUpdates): List<Device> {
  if (!list.data.some(row => changed.has(row.bssid))) return list
  return { ...list, data: list.data.map(row => changed.get(row.bssid) ?? row) }
}

/** Returns the device with its changed values; its statistics stay. */
export function updateDetail(detail: DeviceDetail, changed: DeviceUpdates): DeviceDetail {
  const row = changed.get(detail.bssid)
  return row ? { ...detail, ...row } : detail
}

/** Milliseconds for which updates are kept; longer than any response takes. */
const retention = 60_000

const recent = new Map<string, { readonly row: Device; readonly at: number }>()

/** Records updates that the stream delivered at a time (`performance.now()`). */
export function recordUpdates(rows: readonly Device[], at: number): void {
  for (const [bssid, update] of recent) if (update.at < at - retention) recent.delete(bssid)
  for (const row of rows) recent.set(row.bssid, { row, at })
}

/** Returns the updates since a time. They are newer than the response to a request sent at that time. */
export function updatesSince(requestedAt: number): DeviceUpdates {
  const newer = new Map<string, Device>()
  for (const [bssid, { row, at }] of recent) if (at >= requestedAt) newer.set(bssid, row)
  return newer
}

/** Merges device updates from the stream into cached lists and details. */
import type { Device, DeviceDetail } from './contract/devices.ts'
import type { List } from './contract/endpoint.ts'

/** A changed device. The row of one that the stream has delivered is parsed when it is read for the first time. */
export interface DeviceUpdate {
  readonly row: Device
}
/** Changed devices by id. */
export type DeviceUpdates = ReadonlyMap<string, DeviceUpdate>

/**
 * Returns the list with changed rows replaced. Unchanged rows stay the same objects, so their components do not render;
 * without a change the list itself is returned.
 */
export function updateList(list: List<Device>, changed: DeviceUpdates): List<Device> {
  if (!list.data.some(row => changed.has(row.bssid))) return list
  return { ...list, data: list.data.map(row => changed.get(row.bssid)?.row ?? row) }
}

/** Returns the device with its changed values; its statistics stay. */
export function updateDetail(detail: DeviceDetail, changed: DeviceUpdates): DeviceDetail {
  const update = changed.get(detail.bssid)
  return update ? { ...detail, ...update.row } : detail
}

/** Milliseconds for which updates are kept; longer than any response takes. */
const retention = 60_000

const recent = new Map<string, { readonly update: DeviceUpdate; readonly at: number }>()

/** Records updates that the stream delivered at a time (`performance.now()`). */
export function recordUpdates(updates: DeviceUpdates, at: number): void {
  for (const [bssid, known] of recent) if (known.at < at - retention) recent.delete(bssid)
  for (const [bssid, update] of updates) recent.set(bssid, { update, at })
}

/** Returns the updates since a time. They are newer than the response to a request sent at that time. */
export function updatesSince(requestedAt: number): DeviceUpdates {
  const newer = new Map<string, DeviceUpdate>()
  for (const [bssid, { update, at }] of recent) if (at >= requestedAt) newer.set(bssid, update)
  return newer
}

/** Devices as the stream brings them, put where lists and details have them. */
import type { Device, DeviceDetail } from './contract/devices.ts'
import type { List } from './contract/endpoint.ts'

type Changed = ReadonlyMap<string, Device>

/**
 * The list with the changed rows in their places; rows that have not changed stay the same objects, so that what shows
 * them is left alone. Where none of them is in it, the list itself.
 */
export function withChanged(list: List<Device>, changed: Changed): List<Device> {
  if (!list.data.some(row => changed.has(row.bssid))) return list
  return { count: list.count, data: list.data.map(row => changed.get(row.bssid) ?? row) }
}

/** The device with its changed values; its statistics are as they were read. */
export function detailWithChanged(detail: DeviceDetail, changed: Changed): DeviceDetail {
  const row = changed.get(detail.bssid)
  return row ? { ...detail, ...row } : detail
}

/** Milliseconds; no answer takes longer to come. */
const kept = 60_000

const brought = new Map<string, { readonly row: Device; readonly at: number }>()

/** Keeps what the stream has brought at a time, milliseconds on the page's clock. */
export function keepChanged(rows: readonly Device[], at: number): void {
  for (const [bssid, one] of brought) if (one.at < at - kept) brought.delete(bssid)
  for (const row of rows) brought.set(row.bssid, { row, at })
}

/** What the stream has brought since then: newer than an answer that was asked for at that time. */
export function changedSince(asked: number): Changed {
  const newer = new Map<string, Device>()
  for (const [bssid, { row, at }] of brought) if (at >= asked) newer.set(bssid, row)
  return newer
}

/** Merges device updates from the stream into cached lists and details. */
import type { Device, DeviceDetail } from './contract/devices.ts'
import type { List } from './contract/endpoint.ts'
import type { StreamEvents } from './contract/stream.ts'

/** Changed devices by id. Those of the stream are parsed when they are asked for: most are on no page that is loaded. */
export interface DeviceUpdates {
  has(bssid: string): boolean
  get(bssid: string): Device | undefined
}

/** A row that the stream has delivered. */
type DeliveredRow = { text: string; row?: Device } | { row: Device }

const parsed = (delivered: DeliveredRow): Device =>
  // Kept, because several lists may have the row.
  (delivered.row ??= JSON.parse((delivered as { text: string }).text) as Device)

const firstLine = '{"devices":['
const lastLine = ']}'
/** In a string of the row, the quotes would be escaped. */
const bssidOfRow = /"bssid":"([^"]+)"/

/**
 * Returns the rows of a `devices` event by id. The server writes each on a line of its own, so that a thousand of them,
 * which take longer than a frame to parse, are only split here.
 */
export function deliveredRows(data: string): ReadonlyMap<string, DeliveredRow> {
  const lines = data.split('\n')
  const isByLine = lines.length > 2 && lines[0] === firstLine && lines.at(-1) === lastLine
  if (!isByLine) {
    const { devices } = JSON.parse(data) as StreamEvents['devices']
    return new Map(devices.map(row => [row.bssid, { row }]))
  }
  const rows = new Map<string, DeliveredRow>()
  for (const line of lines.slice(1, -1)) {
    const [, bssid] = bssidOfRow.exec(line) ?? []
    if (bssid !== undefined) rows.set(bssid, { text: line.endsWith(',') ? line.slice(0, -1) : line })
  }
  return rows
}

/** Returns delivered rows as updates. */
export const updatesOf = (rows: ReadonlyMap<string, DeliveredRow>): DeviceUpdates => ({
  has: bssid => rows.has(bssid),
  get(bssid) {
    const row = rows.get(bssid)
    return row && parsed(row)
  },
})

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

const recent = new Map<string, { readonly row: DeliveredRow; readonly at: number }>()

/** Records rows that the stream delivered at a time (`performance.now()`). */
export function recordUpdates(rows: ReadonlyMap<string, DeliveredRow>, at: number): void {
  for (const [bssid, update] of recent) if (update.at < at - retention) recent.delete(bssid)
  for (const [bssid, row] of rows) recent.set(bssid, { row, at })
}

/** Returns the updates since a time. They are newer than the response to a request sent at that time. */
export function updatesSince(requestedAt: number): DeviceUpdates {
  const newer = new Map<string, DeliveredRow>()
  for (const [bssid, { row, at }] of recent) if (at >= requestedAt) newer.set(bssid, row)
  return updatesOf(newer)
}

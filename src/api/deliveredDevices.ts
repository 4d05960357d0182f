/** The rows of the stream's `devices` events. */
import type { Device } from './contract/devices.ts'
import type { StreamEvents } from './contract/stream.ts'
import type { DeviceUpdate, DeviceUpdates } from './deviceUpdates.ts'

const firstLine = '{"devices":['
const lastLine = ']}'
/** Within a string of the row, the quotes would be escaped. */
const bssidOfRow = /"bssid":"([^"]+)"/

/** Returns a row that is parsed once, when it is read: several lists may have it, but most are on no page that is loaded. */
function parsedLater(text: string): DeviceUpdate {
  let parsed: Device | undefined
  return {
    get row() {
      return (parsed ??= JSON.parse(text) as Device)
    },
  }
}

/**
 * Returns the devices of a `devices` event. The server writes each row on a line of its own, so that a thousand of them,
 * which take longer than a frame to parse, are only split here.
 */
export function deliveredDevices(data: string): DeviceUpdates {
  const lines = data.split('\n')
  const isByLine = lines.length > 2 && lines[0] === firstLine && lines.at(-1) === lastLine
  if (!isByLine) {
    const { devices } = JSON.parse(data) as StreamEvents['devices']
    return new Map(devices.map(row => [row.bssid, { row }]))
  }
  const updates = new Map<string, DeviceUpdate>()
  for (const line of lines.slice(1, -1)) {
    const [, bssid] = bssidOfRow.exec(line) ?? []
    if (bssid !== undefined) updates.set(bssid, parsedLater(line.endsWith(',') ? line.slice(0, -1) : line))
  }
  return updates
}

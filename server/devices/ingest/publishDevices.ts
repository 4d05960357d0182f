import type { Bus } from '../../bus/bus.ts'

/** So many keys fit into a message that goes through the database. */
const mostTold = 200

/** Tells that these devices' rows are different now. */
export function tellDevices(bus: Bus, bssids: readonly string[]): void {
  for (let from = 0; from < bssids.length; from += mostTold)
    bus.tell({ kind: 'devices', bssids: bssids.slice(from, from + mostTold) })
}

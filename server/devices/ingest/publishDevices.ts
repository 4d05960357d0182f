import type { Bus } from '../../bus/bus.ts'

/** So many keys fit into a message that goes through the database. */
const maxPublished = 200

/** Tells that these devices' rows are different now. */
export function publishDevices(bus: Bus, bssids: readonly string[]): void {
  for (let from = 0; from < bssids.length; from += maxPublished)
    bus.publish({ kind: 'devices', bssids: bssids.slice(from, from + maxPublished) })
}

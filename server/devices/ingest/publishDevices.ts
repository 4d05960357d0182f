import type { Bus } from '../../bus/bus.ts'

/** Ids that fit into one payload of the PostgreSQL bus. */
const maxPublished = 200

/** Publishes that rows of these devices changed. */
export function publishDevices(bus: Bus, bssids: readonly string[]): void {
  for (let from = 0; from < bssids.length; from += maxPublished)
    bus.publish({ kind: 'devices', bssids: bssids.slice(from, from + maxPublished) })
}

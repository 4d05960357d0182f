/** Publishes that jobs have changed: their tasks may change hundreds of times a second. */
import type { Bus } from '../../bus/bus.ts'

/** Milliseconds from a change to the event about it, which covers all changes until then. */
const publishInterval = 250

export interface JobPublisher {
  /** Publishes soon that a job of this vendor has changed; null for those of administrators. */
  changed(vendor: string | null): void
  close(): void
}

export function openJobPublisher(bus: Bus): JobPublisher {
  /** The vendors of jobs that have changed since the last event. */
  const vendors = new Set<string | null>()
  let publishing: NodeJS.Timeout | undefined
  const publish = () => {
    publishing = undefined
    bus.publish({ kind: 'vendorResources', changes: [...vendors].map(vendor => ({ resource: 'jobs', vendor })) })
    vendors.clear()
  }
  return {
    changed: vendor => {
      vendors.add(vendor)
      publishing ??= setTimeout(publish, publishInterval)
    },
    close: () => clearTimeout(publishing),
  }
}

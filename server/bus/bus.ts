/**
 * The event bus: publishes events to this process and to all processes on the same database, through PostgreSQL or NATS.
 * Delivery is at most once; the database is the source of truth.
 */
import type { BusKind } from '../../src/domain/columns/servers.ts'

/** A resource with changed rows that one vendor sees; null for rows that no vendor sees. */
export interface VendorResource {
  readonly resource: string
  readonly vendor: string | null
}

export interface EndedCommand {
  readonly id: string
  readonly reason: string | null
  /** Whether the device has not answered. */
  readonly isUnanswered: boolean
}

/** An event. Carries ids rather than rows, because a message is limited to some kilobytes. */
export type BusEvent =
  /** Rows of these devices changed. */
  | { readonly kind: 'devices'; readonly bssids: readonly string[] }
  /** These devices were deleted. */
  | { readonly kind: 'deleted'; readonly bssids: readonly string[] }
  /** These devices have new secrets. */
  | { readonly kind: 'credentials'; readonly bssids: readonly string[] }
  /** Notifications were created. */
  | { readonly kind: 'notifications'; readonly ids: readonly string[] }
  /** Active conditions of these devices changed. */
  | { readonly kind: 'alarms'; readonly bssids: readonly string[] }
  /** Rows of these resources were created, changed or deleted. */
  | { readonly kind: 'resources'; readonly names: readonly string[] }
  /** Rows of resources changed that only administrators and one vendor see; without a vendor, only administrators. */
  | { readonly kind: 'vendorResources'; readonly changes: readonly VendorResource[] }
  /** Sessions of these accounts have ended, or the accounts were blocked or deleted. */
  | { readonly kind: 'accessEnded'; readonly accounts: readonly string[] }
  /** These accounts marked their notifications as seen. */
  | { readonly kind: 'seen'; readonly accounts: readonly string[] }
  /** Commands ended; `reason` is null if they were executed. */
  | { readonly kind: 'commands'; readonly ended: readonly EndedCommand[] }
  /** Commands were stored for devices that are not connected to this process's broker. */
  | { readonly kind: 'sent'; readonly commands: readonly { readonly id: string; readonly bssid: string }[] }
  /** Devices signed in at a broker; `at`: when, milliseconds by the database's clock. */
  | {
      readonly kind: 'connected'
      readonly broker: string
      readonly connections: readonly { readonly bssid: string; readonly at: number }[]
    }
  /** A server has announced itself: who receives this event receives those of that server. */
  | { readonly kind: 'server'; readonly id: string }
  /** Progress of a bulk call, only for the calling account; `vendor`: the vendor whose devices the call may reach, null for all. */
  | {
      readonly kind: 'progress'
      readonly account: string
      readonly vendor: string | null
      readonly id: string
      readonly done: number
      readonly failed: number
      readonly total: number
    }
  /** Events may have been lost: caches must be reloaded. */
  | { readonly kind: 'missed' }

/** How the bus is doing. Counts are since the start, of messages to and from other processes. */
export interface BusState {
  readonly kind: BusKind
  /** Whether events reach other processes, and theirs this one; always true if there are no others. */
  readonly isConnected: boolean
  readonly sent: number
  readonly received: number
  /** Connections that broke. */
  readonly disconnects: number
}

export interface Bus {
  /** Publishes an event to all processes. Never throws; failures are logged. */
  publish(event: BusEvent): void
  /** Subscribes to all events, including those of this process. Returns the function that unsubscribes. */
  subscribe(listener: (event: BusEvent) => void): () => void
  state(): BusState
  /** Sends what is published and not sent yet, then closes. */
  close(): Promise<void>
}

/** Returns a bus within this process. */
export function localBus(): Bus {
  const listeners = new Set<(event: BusEvent) => void>()
  return {
    publish: event => {
      for (const listener of listeners) listener(event)
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => ({ kind: 'none', isConnected: true, sent: 0, received: 0, disconnects: 0 }),
    close: async () => listeners.clear(),
  }
}

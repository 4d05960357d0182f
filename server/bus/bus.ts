/**
 * What one part of the server tells the others, in this process and, on PostgreSQL, in every other one that works on
 * the same database. Told once, at most: who was not listening reads the database.
 */

/** Something that has happened. Ids only, or little more: a message is at most some kilobytes. */
export type BusEvent =
  /** These devices' rows are different now. */
  | { readonly kind: 'devices'; readonly bssids: readonly string[] }
  /** These devices are gone. */
  | { readonly kind: 'deleted'; readonly bssids: readonly string[] }
  /** Notifications were made. */
  | { readonly kind: 'notifications'; readonly ids: readonly string[] }
  /** Other conditions of these devices hold now than did. */
  | { readonly kind: 'alarms'; readonly bssids: readonly string[] }
  /** Rows of these resources were made, changed or removed. */
  | { readonly kind: 'resources'; readonly names: readonly string[] }
  /** Events that concern devices of these vendors were made or removed: nobody else's business. */
  | { readonly kind: 'events'; readonly vendors: readonly string[] }
  /** These accounts have seen their notifications, wherever they looked at them. */
  | { readonly kind: 'seen'; readonly accounts: readonly string[] }
  /** Commands came to their end. */
  | { readonly kind: 'commands'; readonly ended: readonly { readonly id: string; readonly reason: string | null }[] }
  /** A call on many devices goes on; only for the account that made it. */
  | {
      readonly kind: 'progress'
      readonly account: string
      readonly id: string
      readonly done: number
      readonly failed: number
      readonly total: number
    }
  /** Something was told that was not heard everywhere: what is known may be old. */
  | { readonly kind: 'missed' }

export interface Bus {
  /** Tells everyone, here and elsewhere. Never rejects; what cannot be sent is logged. */
  publish(event: BusEvent): void
  /** Hears what is told from now on, also by this process. Returns how to stop. */
  subscribe(listener: (event: BusEvent) => void): () => void
  close(): Promise<void>
}

/** The bus of a single process. */
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
    close: async () => listeners.clear(),
  }
}

/**
 * Whether this server hears the others on the event bus. Servers with different buses, such as two NATS, would each do its
 * work without the events of the others, and nobody would notice.
 */
import { and, ne } from 'drizzle-orm'
import { msPerSecond } from '../../src/domain/time.ts'
import type { Bus } from '../bus/bus.ts'
import type { Database } from '../db/database.ts'
import { servers } from '../db/schema/servers.ts'
import { running } from './lease.ts'

/**
 * Milliseconds for which a server may say nothing. Longer than its lease, so that a killed one is not missed, and four times
 * the interval of announcements.
 */
const patience = 20 * msPerSecond

export interface Hearing {
  /**
   * Returns the names of the servers that run and have not been heard for a while. Nobody is missed while this server's bus is
   * disconnected, nor a server that says so of its own: both are known.
   */
  findUnheard(): Promise<readonly string[]>
  close(): void
}

/** Listens to the announcements of all servers but this one. */
export function openHearing(db: Database, bus: Bus, ownId: string, now = () => performance.now()): Hearing {
  /** When each server was heard, or first seen in the database. */
  const heardAt = new Map<string, number>()
  const unsubscribe = bus.subscribe(event => {
    if (event.kind === 'server') heardAt.set(event.id, now())
    // The bus was interrupted, so that nobody could be heard.
    if (event.kind === 'missed') heardAt.clear()
  })
  return {
    findUnheard: async () => {
      if (!bus.state().isConnected) return []
      const others = await db
        .select({ id: servers.id, name: servers.name })
        .from(servers)
        // Servers of versions that do not say this of their bus do not say on it that they are there, either.
        .where(and(running, ne(servers.id, ownId), ne(servers.bus_state, 'disconnected')))
      const at = now()
      const ids = new Set(others.map(({ id }) => id))
      for (const id of heardAt.keys()) if (!ids.has(id)) heardAt.delete(id)
      for (const id of ids) if (!heardAt.has(id)) heardAt.set(id, at)
      return others.filter(({ id }) => at - heardAt.get(id)! > patience).map(({ name }) => name)
    },
    close: unsubscribe,
  }
}

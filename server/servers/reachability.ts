/**
 * Whether this server receives the events of the others on the bus. Servers with different buses, such as two NATS, would each
 * do its work without the events of the others, and nobody would notice.
 */
import { and, ne } from 'drizzle-orm'
import { msPerSecond } from '../../src/domain/time.ts'
import type { Bus } from '../bus/bus.ts'
import type { Database } from '../db/database.ts'
import { servers } from '../db/schema/servers.ts'
import { isRunning } from './lease.ts'

/**
 * Maximum milliseconds for which a server may say nothing. Longer than its lease, so that a killed one is not missed, and
 * four times the interval of announcements.
 */
const maxSilence = 20 * msPerSecond

export interface Reachability {
  /**
   * Returns the names of the servers that run and whose announcements have not arrived for a while. None is returned while
   * this server's bus is disconnected, nor a server that says so of its own: both are known.
   */
  findUnreachable(): Promise<readonly string[]>
  close(): void
}

/** Follows the announcements of all servers but this one. */
export function watchReachability(db: Database, bus: Bus, ownId: string, now = () => performance.now()): Reachability {
  /** When each server was last seen on the bus, or first in the database. */
  const lastSeenAt = new Map<string, number>()
  const unsubscribe = bus.subscribe(event => {
    if (event.kind === 'server') lastSeenAt.set(event.id, now())
    // The bus was interrupted, so that no announcement could arrive.
    if (event.kind === 'missed') lastSeenAt.clear()
  })
  return {
    findUnreachable: async () => {
      if (!bus.state().isConnected) return []
      const others = await db
        .select({ id: servers.id, name: servers.name })
        .from(servers)
        // Servers of versions that do not say this of their bus do not say on it that they are there, either.
        .where(and(isRunning, ne(servers.id, ownId), ne(servers.bus_state, 'disconnected')))
      const at = now()
      const ids = new Set(others.map(({ id }) => id))
      for (const id of lastSeenAt.keys()) if (!ids.has(id)) lastSeenAt.delete(id)
      for (const id of ids) if (!lastSeenAt.has(id)) lastSeenAt.set(id, at)
      return others.filter(({ id }) => at - lastSeenAt.get(id)! > maxSilence).map(({ name }) => name)
    },
    close: unsubscribe,
  }
}

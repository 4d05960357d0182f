/** Which gateway has which device, by the gateways that run. */
import { and, eq, sql } from 'drizzle-orm'
import { msPerSecond } from '../../src/domain/time.ts'
import type { ServerRole } from '../../src/domain/columns/servers.ts'
import type { Log } from '../core/log.ts'
import { repeat } from '../core/repeat.ts'
import type { Database } from '../db/database.ts'
import { servers } from '../db/schema/servers.ts'
import { isRunning } from './lease.ts'
import { rendezvous } from './rendezvous.ts'

/** Milliseconds between two readings of the servers' rows: as often as they are renewed. */
const interval = 5 * msPerSecond

export interface Gateways {
  /** Returns the id of the gateway that has a device. For some seconds, gateways may not agree. */
  ownerOf(bssid: string): string
  close(): Promise<void>
}

/** Follows the gateways that reach each other over NATS. `id`: this server's, which is one of them from the start. */
export function followGateways(db: Database, id: string, log: Log): Gateways {
  let ownerOf = rendezvous([id])
  const role: ServerRole = 'gateway'
  const read = async () => {
    const rows = await db
      .select({ id: servers.id })
      .from(servers)
      .where(and(isRunning, eq(servers.bus, 'nats'), sql`${role} = any(${servers.roles})`))
    ownerOf = rendezvous([...new Set([id, ...rows.map(row => row.id)])])
    return interval
  }
  const reading = repeat(read, { log, errorText: 'Could not read which gateways run' })
  return { ownerOf: bssid => ownerOf(bssid) ?? id, close: reading.close }
}

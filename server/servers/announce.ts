/** Announces this server to the others and to the console: a row that it renews every few seconds. */
import { hostname } from 'node:os'
import { eq, sql } from 'drizzle-orm'
import { resourceOf } from '../../src/api/contract/address.ts'
import { servers as contract } from '../../src/api/contract/servers.ts'
import type { ServerRole } from '../../src/domain/columns/servers.ts'
import { msPerSecond } from '../../src/domain/time.ts'
import type { Bus } from '../bus/bus.ts'
import type { Log } from '../core/log.ts'
import { repeat } from '../core/repeat.ts'
import { version } from '../core/version.ts'
import type { Database } from '../db/database.ts'
import { servers } from '../db/schema/servers.ts'
import { watchReachability } from './reachability.ts'
import { measureLoad } from './load.ts'

/** Milliseconds between two announcements: a third of the lease. */
const interval = 5 * msPerSecond

/** What a gateway says of its messages; null for what it does not have. */
export interface Traffic {
  /** Devices at its embedded broker. */
  readonly devices: number | null
  /** Readings stored since the start, and readings that wait to be stored. */
  readonly stored: number | null
  readonly pending: number | null
}

interface Options {
  /** The id of this server, by which the others know it. */
  readonly id: string
  readonly db: Database
  readonly bus: Bus
  readonly log: Log
  readonly roles: readonly ServerRole[]
  readonly traffic: () => Promise<Traffic>
}

export interface Announced {
  /** Servers that run and were unreachable on the event bus when this one announced itself last. */
  readonly unreachableServers: number
  close(): Promise<void>
}

/** Announces the server now and then regularly. Resolves after the first time. */
export async function announce({ id, db, bus, log, roles, traffic }: Options): Promise<Announced> {
  const name = `${hostname()}/${process.pid}`
  const load = measureLoad()
  const startedAt = new Date(Date.now() - process.uptime() * msPerSecond)
  const reachability = watchReachability(db, bus, id)
  let unreachable: readonly string[] = []
  let last: { readonly stored: number; readonly at: number } | undefined

  const renew = async () => {
    const { devices, stored, pending } = await traffic()
    const at = performance.now()
    const readings = stored === null ? null : last ? ((stored - last.stored) * msPerSecond) / (at - last.at) : 0
    last = stored === null ? undefined : { stored, at }
    await checkReachability()
    const row = { ...load.take(), devices, pending, readings, ...busState(), seen_at: sql`now()` }
    await db
      .insert(servers)
      .values({ id, name, roles: [...roles], version, started_at: startedAt, ...row })
      // Also after its row was deleted, because the database could not be reached for a day.
      .onConflictDoUpdate({ target: servers.id, set: row })
    bus.publish({ kind: 'server', id })
    publish()
    return interval
  }
  /** Finds the servers that are unreachable on the bus, and logs a change. */
  const checkReachability = async () => {
    const before = unreachable.length
    unreachable = await reachability.findUnreachable()
    const names = unreachable.join(', ')
    if (before === 0 && unreachable.length > 0)
      log.error('Events of other servers do not arrive', new Error(`${names}: ${apartText}`))
    if (before > 0 && unreachable.length === 0) log.info('Events of all servers arrive again')
  }
  const busState = () => {
    const { kind, isConnected } = bus.state()
    return {
      bus: kind,
      bus_state: !isConnected ? 'disconnected' : unreachable.length > 0 ? 'apart' : 'connected',
    } as const
  }
  const publish = () => bus.publish({ kind: 'resources', names: [resourceOf(contract.list.path)] })
  await renew()
  const renewing = repeat(renew, { log, errorText: 'Could not announce the server', delay: interval })
  return {
    get unreachableServers() {
      return unreachable.length
    },
    close: async () => {
      load.close()
      reachability.close()
      await renewing.close()
      await db
        .delete(servers)
        .where(eq(servers.id, id))
        .then(publish)
        .catch((error: unknown) => log.error('Could not remove the server from the list of servers', error))
    },
  }
}

const apartText = 'all servers on a database need the same NATS_URL, or none'

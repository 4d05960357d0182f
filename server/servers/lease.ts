/** Decides which servers run: a server runs if it has renewed its row in time. */
import { lt, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { servers } from '../db/schema/servers.ts'
import { msPerSecond } from '../../src/domain/time.ts'
import type { ServerRole } from '../../src/domain/columns/servers.ts'

/** Seconds after which a server that has not renewed its row counts as ended. */
const leaseSeconds = 15
/** Days for which the row of a server that was killed is kept, so that people see it. */
const keptDays = 1

/** SQL: whether a server runs. */
export const isRunning = sql`${servers.seen_at} > now() - ${sql.raw(`interval '${leaseSeconds} seconds'`)}`

/** Returns whether a server with this role runs. */
export async function hasRunningServer(db: Database, role: ServerRole): Promise<boolean> {
  return (await db.$count(servers, sql`${role} = any(${servers.roles}) and ${isRunning}`)) > 0
}

/**
 * Returns whether a server has ended in the last `period` milliseconds without stopping: it was killed, or does not reach the
 * database.
 */
export async function hasLostServer(db: Database, period: number): Promise<boolean> {
  const since = sql`now() - ${leaseSeconds + period / msPerSecond} * interval '1 second'`
  return (await db.$count(servers, sql`not ${isRunning} and ${servers.seen_at} > ${since}`)) > 0
}

/** Deletes the rows of servers that ended long ago without deleting theirs. */
export async function pruneServers(db: Database): Promise<void> {
  await db.delete(servers).where(lt(servers.seen_at, sql`now() - ${sql.raw(`interval '${keptDays} days'`)}`))
}

/** Removes what is too old, and what is left of deleted devices. */
import { setTimeout as wait } from 'node:timers/promises'
import { lt, sql } from 'drizzle-orm'
import { msPerDay, msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { forgottenDevices, telemetryBatches } from '../../db/schema/telemetry.ts'
import { partitionDays } from '../partitionDays.ts'
import type { RetentionPolicy } from '../store.ts'
import { listOf, quoted, type Connection } from './connection.ts'
import { readState } from './sums.ts'

/** Drops the partitions of a table that end before a time, milliseconds UTC. `days`: in a partition. */
async function dropBefore(connection: Connection, table: string, days: number, before: number): Promise<void> {
  const rows = await connection.rows<{ partition: string }>(`
    select distinct partition from system.parts
    where active and database = ${quoted(connection.database)} and table = ${quoted(table)}`)
  const ended = rows.filter(({ partition }) => (Number(partition) + 1) * days * msPerDay <= before)
  for (const { partition } of ended) await connection.run(`alter table ${table} drop partition ${partition}`)
}

/** Removes old readings and sums, see `TelemetryStore.retain`. Readings stay until they are summed. */
export async function removeOld(
  db: Database,
  connection: Connection,
  now: number,
  { rawDays, tenMinuteDays }: RetentionPolicy,
): Promise<void> {
  const { summedUntil } = await readState(db)
  await dropBefore(connection, 'readings', partitionDays.readings, Math.min(now - rawDays * msPerDay, summedUntil))
  await dropBefore(connection, 'ten_minutes', partitionDays.tenMinutes, now - tenMinuteDays * msPerDay)
  // A reading may be a day newer than its batch. One that is older than `rawDays` is refused, so its batch is not asked for.
  await db.delete(telemetryBatches).where(lt(telemetryBatches.stored_at, new Date(now - (rawDays + 2) * msPerDay)))
}

/** Deleted devices that are removed together: ClickHouse rewrites whole parts, for one device as for many. */
const devicesAtOnce = 1_000
/** Milliseconds between two looks whether ClickHouse is done. */
const pause = 100
/** Milliseconds after which rows that are still there count as not removed. */
const maxMutation = 5 * msPerMinute
const tables = ['readings', 'ten_minutes', 'hours', 'days'] as const

export interface Removal {
  readonly stop: AbortSignal
  /** Only these devices; by default all that are deleted. */
  readonly among?: readonly string[]
  /** Milliseconds after which no further devices are begun with. */
  readonly maxTime?: number | undefined
}

/**
 * Removes the telemetry of deleted devices. A device that was created again since keeps what it has in PostgreSQL; it must not
 * have stored anything in ClickHouse yet. Returns whether some is left.
 */
export async function deleteTelemetry(
  db: Database,
  connection: Connection,
  { stop, among, maxTime = Infinity }: Removal,
): Promise<boolean> {
  const named = among ? sql`where bssid = any(${sql.param(among)}::text[])` : sql``
  const end = performance.now() + maxTime
  let hasMore = true
  while (hasMore && !stop.aborted && performance.now() < end)
    hasMore = await db.transaction(async tx => {
      const { rows } = await tx.execute<{ bssid: string }>(
        sql`select bssid from ${forgottenDevices} ${named} order by bssid limit ${devicesAtOnce} for update`,
      )
      const bssids = rows.map(({ bssid }) => bssid)
      if (bssids.length === 0) return false
      if (!(await deleteRows(connection, bssids, stop))) return true
      await tx.execute(sql`
        delete from health_days where bssid = any(${sql.param(bssids)}::text[])
          and not exists (select from devices where devices.bssid = health_days.bssid)`)
      await tx.execute(sql`delete from ${forgottenDevices} where bssid = any(${sql.param(bssids)}::text[])`)
      return bssids.length === devicesAtOnce
    })
  return hasMore
}

/**
 * Deletes the rows of devices. Resolves to true once they are gone, and to false if it was stopped before. Rejects if that takes
 * too long, as when ClickHouse cannot rewrite a part.
 */
async function deleteRows(connection: Connection, bssids: readonly string[], stop: AbortSignal): Promise<boolean> {
  const earlier = new Set(await runningMutations(connection))
  for (const table of tables) await connection.run(`alter table ${table} delete where bssid in ${listOf(bssids)}`)
  // Mutations of other programs may never end.
  const made = new Set((await runningMutations(connection)).filter(each => !earlier.has(each)))
  const end = performance.now() + maxMutation
  while (!stop.aborted) {
    if (!(await runningMutations(connection)).some(each => made.has(each))) return true
    if (performance.now() > end) throw new Error('ClickHouse takes too long to delete rows: see system.mutations')
    await wait(pause)
  }
  return false
}

/** Returns the mutations that have not ended, each as its table and id. */
async function runningMutations(connection: Connection): Promise<string[]> {
  const rows = await connection.rows<{ mutation: string }>(`
    select concat(table, ' ', mutation_id) as mutation from system.mutations
    where not is_done and database = ${quoted(connection.database)}`)
  return rows.map(({ mutation }) => mutation)
}

/** Returns which devices have been created again while they still have telemetry of a deleted device with their key. */
export async function findCreatedAgain(db: Database, bssids: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ bssid: string }>(
    sql`select bssid from ${forgottenDevices} join ${devices} using (bssid) where bssid = any(${sql.param(bssids)}::text[])`,
  )
  return rows.map(({ bssid }) => bssid)
}

/** Returns which devices still have telemetry of a deleted device with their key. */
export async function findForgotten(db: Database, bssids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ bssid: string }>(
    sql`select bssid from ${forgottenDevices} where bssid = any(${sql.param(bssids)}::text[])`,
  )
  return new Set(rows.map(({ bssid }) => bssid))
}

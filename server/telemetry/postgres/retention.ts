/**
 * Retention: deletes old telemetry and the telemetry of deleted devices, in batches that do not block other queries.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import type { RetentionPolicy } from '../store.ts'
import { instant } from './values.ts'
import { dayNumber, openPartitions } from './partitions.ts'
import { msPerDay } from '../../../src/domain/time.ts'

/** Devices per batch, and rows per device, which are more than the 144 of a day. */
const devicesPerBatch = 25
const rowsPerDevice = 200
/** Rows of a deleted device per batch. */
const rowsPerBatch = 2_000
/** Milliseconds between two batches. */
const batchPause = 50

/** Drops raw readings and deletes ten-minute rollups that exceed their retention. `now`: milliseconds UTC. */
export async function applyRetention(
  db: Database,
  now: number,
  policy: RetentionPolicy,
  stop: AbortSignal,
): Promise<void> {
  await openPartitions(db).dropBefore(now - policy.rawDays * msPerDay)
  // Whole days, so that each hour has all of its ten-minute rollups or none.
  const cutoff = dayNumber(now - policy.tenMinuteDays * msPerDay) * msPerDay
  for (let hasMore = true; hasMore;) {
    hasMore = false
    for (let after: string | undefined = ''; after !== undefined && !stop.aborted;) {
      const batch = await pruneTenMinutes(db, after, cutoff)
      hasMore ||= batch.hasMore
      after = batch.next
      if (after !== undefined) await wait(batchPause)
    }
  }
}

interface PrunedBatch {
  /** Key after which to continue; `undefined` once all devices were pruned. */
  readonly next: string | undefined
  /** Whether a device may have more rows. */
  readonly hasMore: boolean
}
/** Deletes expired ten-minute rollups of the devices after a key. */
async function pruneTenMinutes(db: Database, after: string, cutoff: number): Promise<PrunedBatch> {
  const { rows } = await db.execute<{ last: string | null; n: number; max_rows: number | null }>(sql`
    with device as materialized (
      select bssid from device_twins where bssid > ${after} order by bssid limit ${devicesPerBatch}
    ),
    old as materialized (
      select bssid, at from device cross join lateral (
        select at from reading_ten_minutes as ten where ten.bssid = device.bssid and ten.at < ${instant(cutoff)}
        order by at limit ${rowsPerDevice}) as ten
    ),
    deleted as (
      delete from reading_ten_minutes as ten using old where ten.bssid = old.bssid and ten.at = old.at
    )
    select (select max(bssid) from device) as last, (select count(*)::integer from device) as n,
      (select max(rows)::integer from (select count(*) as rows from old group by bssid) as counted) as max_rows`)
  const { last, n, max_rows } = rows[0]!
  return { next: n < devicesPerBatch ? undefined : (last ?? undefined), hasMore: max_rows === rowsPerDevice }
}

/** Deletes all telemetry of deleted devices. */
export async function deleteOrphanedTelemetry(db: Database, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && (await deleteOrphanedBatch(db))) await wait(batchPause)
}

/** Deletes a batch; returns whether there may be more. */
function deleteOrphanedBatch(db: Database): Promise<boolean> {
  return db.transaction(async tx => {
    const { rows } = await tx.execute<{ bssid: string }>(
      sql`select bssid from forgotten_devices order by bssid limit 1 for update skip locked`,
    )
    const bssid = rows[0]?.bssid
    if (bssid === undefined) return false
    for (const table of ['readings', 'reading_ten_minutes', 'reading_hours', 'reading_days']) {
      const { rows: deleted } = await tx.execute<{ n: number }>(sql`
        with deleted as (
          delete from ${sql.identifier(table)} where bssid = ${bssid} and at in (
            select at from ${sql.identifier(table)} where bssid = ${bssid} order by at limit ${rowsPerBatch})
          returning at
        )
        select count(*)::integer as n from deleted`)
      if (deleted[0]!.n > 0) return true
    }
    await tx.execute(sql`delete from health_days where bssid = ${bssid}`)
    await tx.execute(sql`delete from forgotten_devices where bssid = ${bssid}`)
    return true
  })
}

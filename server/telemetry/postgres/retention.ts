/** Retention: drops old telemetry by partition, and deletes the telemetry of deleted devices in batches that block nothing. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import type { RetentionPolicy } from '../store.ts'
import type { Partitions } from './partitions.ts'
import { msPerDay } from '../../../src/domain/time.ts'

/** Rows of a deleted device per batch. */
const rowsPerBatch = 2_000
/** Milliseconds between two batches. */
const batchPause = 50

/** Drops the partitions whose readings or sums all exceed their retention. `now`: milliseconds UTC. */
export async function dropOld(
  partitions: Partitions,
  now: number,
  { rawDays, tenMinuteDays }: RetentionPolicy,
): Promise<void> {
  await partitions.dropBefore('readings', now - rawDays * msPerDay)
  await partitions.dropBefore('reading_ten_minutes', now - tenMinuteDays * msPerDay)
}

/** Deletes the telemetry of deleted devices, see `TelemetryStore.forgetDeleted`. */
export async function deleteOrphanedTelemetry(db: Database, stop: AbortSignal, maxTime = Infinity): Promise<boolean> {
  const end = performance.now() + maxTime
  while (!stop.aborted && performance.now() < end) {
    if (!(await deleteOrphanedBatch(db))) return false
    await wait(batchPause)
  }
  return true
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

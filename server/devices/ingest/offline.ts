/** Detects devices that have gone offline without a last will, by their silence. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { instant } from './bucketSums.ts'

/** Maximum twins checked, and devices marked, per statement. */
const pageSize = 10_000
const maxMarked = 200

export interface SilentDevices {
  readonly bssids: readonly string[]
  /** Key after which to continue; `undefined` once all devices were checked. */
  readonly next: string | undefined
}

/**
 * Marks devices after a key as offline that were silent for three reporting intervals, at least 90 s. Times are
 * milliseconds UTC; silence counts from `listeningSince`, before which no message could be received.
 */
export async function markSilent(
  db: Database,
  after: string,
  { now, listeningSince }: { readonly now: number; readonly listeningSince: number },
): Promise<SilentDevices> {
  const silent = (
    twin: SQL,
  ) => sql`${twin}.offline_at is null and greatest(${twin}.heard_at, ${instant(listeningSince)})
    + greatest(90, 3 * ${twin}.report_interval) * interval '1 second' < ${instant(now)}`
  const { rows } = await db.execute<{ bssids: string[] | null; last: string | null; n: number; found: number }>(sql`
    with slice as materialized (
      select * from device_twins where bssid > ${after} order by bssid limit ${pageSize}
    ),
    silent as materialized (
      select twin.bssid from device_twins as twin join devices as device using (bssid)
      where twin.bssid in (select bssid from slice where ${silent(sql`slice`)}) and ${silent(sql`twin`)}
      limit ${maxMarked}
      for no key update of twin, device skip locked
    ),
    marked as (
      update devices set status = 3 from silent where devices.bssid = silent.bssid and status <> 3
      returning devices.bssid
    ),
    twins as (
      update device_twins set offline_at = ${instant(now)} from silent where device_twins.bssid = silent.bssid
    )
    select (select json_agg(bssid) from marked) as bssids, (select max(bssid) from slice) as last,
      (select count(*)::integer from slice) as n, (select count(*)::integer from silent) as found`)
  const { bssids, last, n, found } = rows[0]!
  const next = found === maxMarked ? after : n === pageSize ? (last ?? undefined) : undefined
  return { bssids: bssids ?? [], next }
}

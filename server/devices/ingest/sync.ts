/** Syncs device twins to `device_values`, in limited batches, because its indexes make updates expensive. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

export interface SyncResult {
  /** Devices whose rows changed. */
  readonly changed: readonly string[]
  /** Devices that were offline and are online again. */
  readonly online: readonly string[]
  /** Key after which to continue; `undefined` once all were synced. */
  readonly next: string | undefined
}

/**
 * Copies the values of the next `limit` unsynced twins after a key to `device_values`. Skips locked rows until the next
 * call, and does not write rows that would not change. A device that is online again gets its last reported status.
 */
export async function syncTwins(db: Database, after: string, limit: number): Promise<SyncResult> {
  const { rows } = await db.execute<{
    changed: string[] | null
    online: string[] | null
    last: string | null
    n: number
  }>(
    sql`
    with next as materialized (
      select twin.*, device.status = 3 and twin.heard_at > coalesce(twin.offline_at, '-infinity') as is_back
      from device_twins as twin join devices as device using (bssid)
      where not twin.synced and twin.bssid > ${after}
      order by twin.bssid limit ${limit}
      for no key update of twin skip locked
    ),
    -- Only the rows of devices that are back are locked, because a lock is a write.
    locked as materialized (
      select device.bssid from devices as device
      where device.bssid = any(array(select bssid from next where is_back)) and device.status = 3
      for no key update skip locked
    ),
    back as (
      update devices as device set status = coalesce(next.reported_status, 0)
      from next join locked using (bssid) where device.bssid = next.bssid
      returning device.bssid
    ),
    -- Rounded to millilitres, because floating-point sums have long tails of digits.
    rounded as (
      select bssid, heard_at, round(feed::numeric, 3)::float8 as feed, round(permeate::numeric, 3)::float8 as permeate,
        round(waste::numeric, 3)::float8 as waste,
        rejection_rate, recovery_rate, temperature, pressure, feed_tds, permeate_tds
      from next
    ),
    changed as (
      update device_values as shown set last_active = greatest(shown.last_active, rounded.heard_at),
        feed = rounded.feed, permeate = rounded.permeate, waste = rounded.waste,
        rejection_rate = rounded.rejection_rate, recovery_rate = rounded.recovery_rate, temperature = rounded.temperature,
        pressure = rounded.pressure, feed_tds = rounded.feed_tds, permeate_tds = rounded.permeate_tds
      from rounded
      where shown.bssid = rounded.bssid and (rounded.heard_at > coalesce(shown.last_active, '-infinity')
        or (shown.feed, shown.permeate, shown.waste, shown.rejection_rate, shown.recovery_rate,
          shown.temperature, shown.pressure, shown.feed_tds, shown.permeate_tds)
        is distinct from (rounded.feed, rounded.permeate, rounded.waste, rounded.rejection_rate, rounded.recovery_rate,
          rounded.temperature, rounded.pressure, rounded.feed_tds, rounded.permeate_tds))
      returning shown.bssid
    ),
    synced as (
      update device_twins as twin set synced = not next.is_back or locked.bssid is not null,
        offline_at = case when locked.bssid is not null then null else twin.offline_at end
      from next left join locked using (bssid) where twin.bssid = next.bssid
    )
    select (select json_agg(bssid) from (select bssid from changed union select bssid from back) as written) as changed,
      (select json_agg(bssid) from back) as online,
      (select max(bssid) from next) as last, (select count(*)::integer from next) as n`,
  )
  const { changed, online, last, n } = rows[0]!
  return { changed: changed ?? [], online: online ?? [], next: last === null || n < limit ? undefined : last }
}

/** Syncs device twins to `devices`, in limited batches, because its many indexes make updates expensive. */
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
 * Copies the values of the next `limit` unsynced twins after a key to `devices`. Skips locked rows until the next call,
 * and does not write rows that would not change. A device that is online again gets its last reported status.
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
      for no key update of twin, device skip locked
    ),
    -- Rounded to millilitres, because floating-point sums have long tails of digits.
    rounded as (
      select bssid, is_back, coalesce(reported_status, 0) as reported_status, heard_at,
        round(feed::numeric, 3)::float8 as feed, round(permeate::numeric, 3)::float8 as permeate,
        round(waste::numeric, 3)::float8 as waste,
        rejection_rate, recovery_rate, temperature, pressure, feed_tds, permeate_tds
      from next
    ),
    changed as (
      update devices as device set status = case when is_back then rounded.reported_status else device.status end,
        last_active = greatest(device.last_active, rounded.heard_at),
        feed = rounded.feed, permeate = rounded.permeate, waste = rounded.waste,
        rejection_rate = rounded.rejection_rate, recovery_rate = rounded.recovery_rate, temperature = rounded.temperature,
        pressure = rounded.pressure, feed_tds = rounded.feed_tds, permeate_tds = rounded.permeate_tds
      from rounded
      where device.bssid = rounded.bssid and (is_back or rounded.heard_at > coalesce(device.last_active, '-infinity')
        or (device.feed, device.permeate, device.waste, device.rejection_rate, device.recovery_rate,
          device.temperature, device.pressure, device.feed_tds, device.permeate_tds)
        is distinct from (rounded.feed, rounded.permeate, rounded.waste, rounded.rejection_rate, rounded.recovery_rate,
          rounded.temperature, rounded.pressure, rounded.feed_tds, rounded.permeate_tds))
      returning device.bssid
    ),
    synced as (
      update device_twins as twin set synced = true, offline_at = case when is_back then null else twin.offline_at end
      from next where twin.bssid = next.bssid
    )
    select (select json_agg(bssid) from changed) as changed,
      (select json_agg(bssid) from next where is_back) as online,
      (select max(bssid) from next) as last, (select count(*)::integer from next) as n`,
  )
  const { changed, online, last, n } = rows[0]!
  return { changed: changed ?? [], online: online ?? [], next: last === null || n < limit ? undefined : last }
}

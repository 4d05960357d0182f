/** Syncs device twins to `devices`, in limited batches, because its many indexes make updates expensive. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

export interface SyncResult {
  /** Devices whose rows changed. */
  readonly changed: readonly string[]
  /** Devices that were offline and are back online. */
  readonly back: readonly string[]
  /** Key after which to continue; `undefined` once all were synced. */
  readonly next: string | undefined
}

/**
 * Copies the values of the next `limit` unsynced twins after a key to `devices`. Skips locked rows until the next call,
 * and does not write rows that would not change. A device that is back online gets its last reported status.
 */
export async function syncTwins(db: Database, after: string, limit: number): Promise<SyncResult> {
  const { rows } = await db.execute<{
    changed: string[] | null
    back: string[] | null
    last: string | null
    n: number
  }>(
    sql`
    with next as materialized (
      select twin.*, device.status = 3 and twin.heard_at > coalesce(twin.offline_at, '-infinity') as back
      from device_twins as twin join devices as device using (bssid)
      where not twin.synced and twin.bssid > ${after}
      order by twin.bssid limit ${limit}
      for no key update of twin, device skip locked
    ),
    -- Rounded to millilitres, because floating-point sums have long tails of digits.
    shown as (
      select bssid, back, coalesce(reported_status, 0) as reported_status, heard_at,
        round(feed::numeric, 3)::float8 as feed, round(permeate::numeric, 3)::float8 as permeate,
        round(waste::numeric, 3)::float8 as waste,
        rejection_rate, recovery_rate, temperature, pressure, feed_tds, permeate_tds
      from next
    ),
    changed as (
      update devices as device set status = case when back then shown.reported_status else device.status end,
        last_active = greatest(device.last_active, shown.heard_at),
        feed = shown.feed, permeate = shown.permeate, waste = shown.waste,
        rejection_rate = shown.rejection_rate, recovery_rate = shown.recovery_rate, temperature = shown.temperature,
        pressure = shown.pressure, feed_tds = shown.feed_tds, permeate_tds = shown.permeate_tds
      from shown
      where device.bssid = shown.bssid and (back or shown.heard_at > coalesce(device.last_active, '-infinity')
        or (device.feed, device.permeate, device.waste, device.rejection_rate, device.recovery_rate,
          device.temperature, device.pressure, device.feed_tds, device.permeate_tds)
        is distinct from (shown.feed, shown.permeate, shown.waste, shown.rejection_rate, shown.recovery_rate,
          shown.temperature, shown.pressure, shown.feed_tds, shown.permeate_tds))
      returning device.bssid
    ),
    synced as (
      update device_twins as twin set synced = true, offline_at = case when back then null else twin.offline_at end
      from next where twin.bssid = next.bssid
    )
    select (select json_agg(bssid) from changed) as changed,
      (select json_agg(bssid) from next where back) as back,
      (select max(bssid) from next) as last, (select count(*)::integer from next) as n`,
  )
  const { changed, back, last, n } = rows[0]!
  return { changed: changed ?? [], back: back ?? [], next: last === null || n < limit ? undefined : last }
}

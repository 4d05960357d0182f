/** `devices` follows what is known of each device, a bounded number of rows at a time: it has an index a column. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

export interface SyncResult {
  /** Devices whose rows are different now. */
  readonly changed: readonly string[]
  /** Those of them that were offline and have been heard again. */
  readonly back: readonly string[]
  /** Where to go on; `undefined` once all have had their turn. */
  readonly next: string | undefined
}

/**
 * Brings the newest values of the next `most` devices after a key over to `devices`. Rows that somebody else holds are
 * left for the next time, and rows that would not change are not written. An offline device that was heard since is in
 * the state that it reported last.
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
    -- Sums of decimals end in a long tail of digits: millilitres will do.
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

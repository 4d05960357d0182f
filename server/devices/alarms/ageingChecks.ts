/**
 * When the conditions of a device that depend on time are evaluated next: each worker claims devices that are due. Triggers
 * (migration 0035) make a device due when its cartridges, their types, its firmware or the released versions change.
 */
import { sql, type SQL } from 'drizzle-orm'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { expiredFrom, expiringFrom } from './ageing.ts'

/** Maximum devices of a claim: few, so that evaluating a whole fleet that is due leaves the server free for calls. */
const claimSize = 500
/** Milliseconds for which they belong to the worker that has claimed them; after that it was killed. */
const lease = 5 * msPerMinute
/** Litres that no device filters in an hour, from which follows when a cartridge can be used up at the earliest. */
const maxLitresPerHour = 600

export interface Claim {
  readonly bssids: readonly string[]
  /** Until when they belong to this worker. */
  readonly until: Date
}

/** Claims devices that are due; other workers skip them. */
export async function claimAgeing(db: Database, at: Date): Promise<Claim> {
  const until = new Date(at.getTime() + lease)
  const { rows } = await db.execute<{ bssid: string }>(sql`
    update ageing_checks as claimed set due_at = ${until.toISOString()}::timestamptz
    from (
      select bssid from ageing_checks where due_at <= ${at.toISOString()}::timestamptz
      order by due_at limit ${claimSize} for update skip locked
    ) as due
    where claimed.bssid = due.bssid returning claimed.bssid`)
  return { bssids: rows.map(({ bssid }) => bssid), until }
}

/**
 * Stores when claimed devices, which were evaluated at `at`, can change next: by the dates of their cartridges, by their
 * litres at the highest flow, or by a version that is released later. Otherwise the check is due after half a day to a day,
 * at random, so that devices which were added together are evaluated at different times. A device that a trigger has made due
 * since it was claimed stays due.
 */
export async function settleAgeing(db: Database, { bssids, until }: Claim, at: Date): Promise<void> {
  const now = sql`${at.toISOString()}::timestamptz`
  const usedAt = (litres: SQL) => sql`case when used < ${litres} then ${now} + greatest(
    interval '30 seconds', (${litres} - used) / ${maxLitresPerHour}::float8 * interval '1 hour') end`
  await db.execute(sql`
    with claimed as materialized (
      select bssid from ageing_checks
      where bssid = any(${sql.param(bssids)}::text[]) and due_at = ${until.toISOString()}::timestamptz
      order by bssid for update skip locked
    ),
    cartridge as materialized (
      select bssid, installed_at, ttl, resource,
        case when type.type = 0 then twin.feed else twin.permeate end - volume_before as used
      from claimed join device_cartridges using (bssid) join device_twins as twin using (bssid)
      join cartridge_types as type on type.id = cartridge_type_id
    ),
    worn as (
      select bssid, min(time) as at from cartridge cross join lateral (values
        (${expiredFrom.time}), (${usedAt(expiredFrom.litres)}), (${expiringFrom.time}), (${usedAt(expiringFrom.litres)})
      ) as change (time) where time > ${now} group by bssid
    ),
    released as (
      select platform, min(released_at) as at from firmware_versions where released_at > ${now} group by platform
    )
    update ageing_checks as checked set due_at = least(${now} + (0.5 + random() / 2) * interval '1 day', worn.at, released.at)
    from claimed join devices using (bssid) left join worn using (bssid)
      left join released on released.platform = devices.platform
    where checked.bssid = claimed.bssid`)
}

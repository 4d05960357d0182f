/**
 * Stores notifications, of each device and type a limited number. Without a limit, a device whose value fluctuates around
 * a threshold, or that someone controls, makes millions a day, which fill the database and hide those of other devices.
 */
import { sql, type SQL } from 'drizzle-orm'
import { notificationLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { notifications } from '../../db/schema/notifications.ts'

/**
 * Notifications of a device and type that are stored within 24 hours: enough to see that a condition comes and goes. All
 * types together are at most 288 rows of a device a day, and 115,200 in the 400 days for which they are kept.
 */
export const maxPerDay = 12

/** Into how many parts devices are divided for the lock. */
const lockParts = 256

/**
 * Locks the notifications of devices until the end of the transaction. Two servers that store at the same time would each
 * count without the rows of the other, and exceed the limit. To be called once in a transaction, so that servers lock in the
 * same order, and before the statement with `storeLimited`, which then sees what others have stored.
 */
export async function lockNotifications(tx: Database, bssids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    select pg_advisory_xact_lock(${notificationLock}::integer, part)
    from (
      select distinct abs(hashtextextended(bssid, 0) % ${lockParts}::integer)::integer as part
      from unnest(${sql.param(bssids)}::text[]) as bssid order by part
    ) as parts`)
}

/**
 * Returns subqueries that store the rows of `wanted`, a subquery with the columns `id`, `bssid`, `vendor_id`, `type`, `at`
 * and `values`; the last one, `stored`, has the ids of those stored. Ids that exist are skipped. Rows beyond the limit are
 * counted in the column `repeats` of the last notification that was stored of their device and type. To be used after
 * `with` and other subqueries.
 */
export const storeLimited = (wanted: SQL): SQL => sql`
    wanted as materialized (${wanted}), numbered as (
      select wanted.*, recent.count as recent,
        recent.count + row_number() over (partition by wanted.bssid, wanted.type order by wanted.id) as nth,
        recent.count + count(*) over (partition by wanted.bssid, wanted.type) as total
      from wanted, lateral (
        select count(*) as count from ${notifications} where ${notifications.bssid} = wanted.bssid
          and ${notifications.type} = wanted.type and ${notifications.created_at} > wanted.at - interval '24 hours'
      ) as recent
    ), counted as (
      update ${notifications} set repeats = repeats + further.count
      from (
        select bssid, type, count(*)::integer as count from numbered where recent >= ${maxPerDay}::integer group by 1, 2
      ) as further
      where ${notifications.id} = (
        select last.id from ${notifications} as last where last.bssid = further.bssid and last.type = further.type
        order by last.created_at desc, last.id desc limit 1)
    ), stored as (
      insert into ${notifications} (id, bssid, vendor_id, type, created_at, "values", repeats)
      select id, bssid, vendor_id, type, at, "values",
        -- The last one of this statement stands for the further ones of this statement.
        case nth when ${maxPerDay}::integer then total - nth else 0 end
      from numbered where nth <= ${maxPerDay}::integer
      on conflict do nothing
      returning id
    )`

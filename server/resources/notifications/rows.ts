/** Notifications as the wire has them. */
import { desc, sql } from 'drizzle-orm'
import type { Notification } from '../../../src/api/contract/notifications.ts'
import type { Database } from '../../db/database.ts'
import { notifications } from '../../db/schema/notifications.ts'

/** The notifications of these ids, newest first; absent ones are left out. Whether they may be seen is the caller's matter. */
export async function notificationsByIds(db: Database, ids: readonly string[]): Promise<Notification[]> {
  const rows = await db
    .select()
    .from(notifications)
    .where(sql`${notifications.id} = any(${sql.param(ids)}::text[])`)
    .orderBy(desc(notifications.created_at), desc(notifications.id))
  return rows.map(({ id, type, bssid, created_at, values }) => ({
    _id: id,
    type,
    device: { bssid },
    created_at: created_at.toISOString(),
    values: { ...values },
  }))
}

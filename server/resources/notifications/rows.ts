/** Reads notifications in the form of the contract. */
import { desc, eq, sql } from 'drizzle-orm'
import type { Notification } from '../../../src/api/contract/notifications.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { notifications } from '../../db/schema/notifications.ts'

/** Returns the notifications of these ids, newest first; missing ones are left out. Does not check access. */
export async function notificationsByIds(db: Database, ids: readonly string[]): Promise<Notification[]> {
  const rows = await db
    .select({ notification: notifications, description: devices.description, company_name: accounts.company_name })
    .from(notifications)
    .innerJoin(devices, eq(devices.bssid, notifications.bssid))
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(sql`${notifications.id} = any(${sql.param(ids)}::text[])`)
    .orderBy(desc(notifications.created_at), desc(notifications.id))
  return rows.map(({ notification: { id, type, bssid, created_at, values, repeats }, description, company_name }) => ({
    _id: id,
    type,
    device: { bssid, description, company_name },
    created_at: created_at.toISOString(),
    values: { ...values },
    ...(repeats > 0 && { repeats }),
  }))
}

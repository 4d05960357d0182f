/** Stored devices with their newest values. */
import { eq, getTableColumns, inArray } from 'drizzle-orm'
import type { StatusCode } from '../../../../src/domain/device.ts'
import type { Database } from '../../../../server/db/database.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceValues } from '../../../../server/db/schema/deviceValues.ts'
import { storeValues, type Values } from '../../../../server/devices/storeValues.ts'

export type NewDeviceRow = typeof devices.$inferInsert & Values

const columns = { ...getTableColumns(deviceValues), ...getTableColumns(devices) }

/** Reads devices with their newest values; `where` may follow. */
export const selectDevices = (db: Database) =>
  db.select(columns).from(devices).innerJoin(deviceValues, eq(deviceValues.bssid, devices.bssid))

/** Returns the row of a device with its newest values. */
export const deviceRow = async (db: Database, bssid: string) =>
  (await selectDevices(db).where(eq(devices.bssid, bssid)))[0]!

/** Sets the status that lists show of these devices, or of all. */
export const setStatus = (db: Database, status: StatusCode, bssids?: readonly string[]) =>
  db
    .update(deviceValues)
    .set({ status })
    .where(bssids && inArray(deviceValues.bssid, [...bssids]))

/** Stores a new device, and its values if it has any. */
export async function insertDevice(db: Database, row: NewDeviceRow): Promise<void> {
  await db.insert(devices).values(row)
  if (Object.keys(row).some(name => name in getTableColumns(deviceValues) && !(name in getTableColumns(devices))))
    await storeValues(db, [row])
}

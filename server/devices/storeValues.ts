import { getTableColumns, sql } from 'drizzle-orm'
import { recordset } from '../db/bulk.ts'
import type { Database } from '../db/database.ts'
import { deviceValues } from '../db/schema/deviceValues.ts'

type DeviceValuesRow = typeof deviceValues.$inferSelect
export type Values = Partial<Omit<DeviceValuesRow, 'bssid' | 'vendor_id'>>

const {
  bssid: _bssid,
  vendor_id: _vendor,
  last_active: _active,
  status: _status,
  ...readingColumns
} = getTableColumns(deviceValues)

/**
 * Gives new devices values, as if each had sent them in its only message. All rows must have the values of the first;
 * other attributes are ignored.
 */
export async function storeValues(
  db: Database,
  rows: readonly (Pick<DeviceValuesRow, 'bssid'> & Values)[],
): Promise<void> {
  const first = rows[0]
  if (first === undefined) return
  const names = Object.keys(readingColumns).filter(name => name in first)
  const assign = (times: readonly string[]) =>
    sql.raw([...times, ...names.map(name => `${name} = input.${name}`)].join(', '))
  const input = sql`${recordset(deviceValues, rows)} as input`
  const hasStatus = 'status' in first
  const isOffline = hasStatus ? 'input.status = 3' : 'offline_at is not null'
  const twinColumns = [
    'heard_at = input.last_active',
    `offline_at = case when ${isOffline} then coalesce(input.last_active, offline_at) end`,
    ...(hasStatus ? ['reported_status = nullif(input.status, 3)'] : []),
  ]
  const valueColumns = ['last_active = input.last_active', ...(hasStatus ? ['status = input.status'] : [])]
  await db.execute(
    sql`update device_twins as twin set ${assign(twinColumns)} from ${input} where twin.bssid = input.bssid`,
  )
  await db.execute(
    sql`update device_values as shown set ${assign(valueColumns)} from ${input} where shown.bssid = input.bssid`,
  )
}

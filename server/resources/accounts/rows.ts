/** Converts account rows to the contract's objects. */
import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import type { AccountRow } from '../../auth/accounts.ts'

export const adminOf = (row: AccountRow) => ({
  _id: row.id,
  login: row.login,
  first_name: row.first_name,
  last_name: row.last_name,
  status: row.blocked,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const vendorOf = (row: AccountRow) => ({
  ...adminOf(row),
  company_name: row.company_name,
  company_address: row.company_address,
  description: row.description,
})

export const userOf = (row: AccountRow) => ({ ...adminOf(row), email_confirmed: row.email_confirmed })

/** Returns the rows of these keys, in the keys' order. */
export async function accountsByKeys(db: Database, keys: readonly string[]): Promise<AccountRow[]> {
  const rows = await db
    .select()
    .from(accounts)
    .where(inArray(accounts.id, [...keys]))
  const byKey = new Map(rows.map(row => [row.id, row]))
  return keys.flatMap(key => byKey.get(key) ?? [])
}

/** Returns the vendors that see a vendor's company name in their lists: itself, and the vendors of its models. */
export async function vendorsNaming(db: Database, id: string): Promise<string[]> {
  const offers = await db
    .selectDistinct({ vendor: deviceModelVendors.vendor_id })
    .from(deviceModelVendors)
    .innerJoin(deviceModels, eq(deviceModels.id, deviceModelVendors.model_id))
    .where(eq(deviceModels.owner_id, id))
  return [id, ...offers.map(({ vendor }) => vendor)]
}

/** Reads accounts, and converts their rows to the contract's objects. */
import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import type { AccountRow } from '../../auth/accounts.ts'

const accountOf = (row: AccountRow) => ({
  _id: row.id,
  login: row.login,
  first_name: row.first_name,
  last_name: row.last_name,
  // True if the account is blocked.
  status: row.blocked,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const adminOf = accountOf

export const vendorOf = (row: AccountRow) => ({
  ...accountOf(row),
  company_name: row.company_name,
  company_address: row.company_address,
  description: row.description,
})

export const userOf = (row: AccountRow) => ({ ...accountOf(row), email_confirmed: row.email_confirmed })

/** Returns the accounts with these ids that exist, in the order of the ids. */
export async function accountsByIds(db: Database, ids: readonly string[]): Promise<AccountRow[]> {
  const rows = await db
    .select()
    .from(accounts)
    .where(inArray(accounts.id, [...ids]))
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Returns the ids of vendors whose lists show this vendor's company name: its own, and those of vendors who are offered its models. */
export async function vendorsShowingNameOf(db: Database, id: string): Promise<string[]> {
  const offered = await db
    .selectDistinct({ vendor: deviceModelVendors.vendor_id })
    .from(deviceModelVendors)
    .innerJoin(deviceModels, eq(deviceModels.id, deviceModelVendors.model_id))
    .where(eq(deviceModels.owner_id, id))
  return [id, ...offered.map(({ vendor }) => vendor)]
}

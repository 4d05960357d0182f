/** Where the columns of the three lists of accounts are found, and what each sorts by. */
import { adminColumns, userColumns, vendorColumns } from '../../../src/api/contract/accounts.ts'
import type { Columns } from '../../../src/api/contract/endpoint.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { folded, plain } from '../shared/listColumns.ts'
import type { ListColumn, Listed } from '../shared/list.ts'

const login = folded(accounts.login)
const shared = {
  first_name: folded(accounts.first_name),
  last_name: folded(accounts.last_name),
  status: plain(accounts.blocked),
  created_at: plain(accounts.created_at),
  updated_at: plain(accounts.updated_at),
}
const ofAdmin: Record<keyof typeof adminColumns.by, ListColumn> = { login, ...shared }
const ofVendor: Record<keyof typeof vendorColumns.by, ListColumn> = {
  ...ofAdmin,
  company_name: folded(accounts.company_name),
  company_address: folded(accounts.company_address),
  description: folded(accounts.description),
}
const ofUser: Record<keyof typeof userColumns.by, ListColumn> = {
  email: login,
  ...shared,
  email_confirmed: plain(accounts.email_confirmed),
}

const listed = (definition: Columns, columns: Listed['columns']): Listed => ({
  table: accounts,
  key: accounts.id,
  definition,
  columns,
})
export const listedAdmins = listed(adminColumns, ofAdmin)
export const listedVendors = listed(vendorColumns, ofVendor)
export const listedUsers = listed(userColumns, ofUser)

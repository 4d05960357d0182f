/** Where the columns of the three lists of accounts are found, and what each sorts by. */
import { admins, users, vendors } from '../../../src/api/contract/accounts.ts'
import type { Endpoint } from '../../../src/api/contract/endpoint.ts'
import { adminColumns, userColumns, vendorColumns } from '../../../src/domain/columns/accounts.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { folded, plain, storedColumns } from '../shared/listColumns.ts'
import type { Listed } from '../shared/list.ts'

const status = plain(accounts.blocked)

const listed = ({ columns: definition }: Endpoint, columns: Listed['columns']): Listed => ({
  table: accounts,
  key: accounts.id,
  definition: definition!,
  columns,
})
export const listedAdmins = listed(admins.list, storedColumns(accounts, adminColumns, { status }))
export const listedVendors = listed(vendors.list, storedColumns(accounts, vendorColumns, { status }))
export const listedUsers = listed(
  users.list,
  storedColumns(accounts, userColumns, { status, email: folded(accounts.login) }),
)

/** Columns of the three lists of accounts. */
import { admins, users, vendors } from '../../../src/api/contract/accounts.ts'
import type { Endpoint } from '../../../src/api/contract/endpoint.ts'
import { adminColumns, userColumns, vendorColumns } from '../../../src/domain/columns/accounts.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { folded, plain, storedColumns } from '../shared/listColumns.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'

const status = plain(accounts.blocked)

const accountList = ({ columns: definition }: Endpoint, columns: ListDefinition['columns']): ListDefinition => ({
  table: accounts,
  key: accounts.id,
  definition: definition!,
  columns,
})
export const adminList = accountList(admins.list, storedColumns(accounts, adminColumns, { status }))
export const vendorList = accountList(vendors.list, storedColumns(accounts, vendorColumns, { status }))
export const userList = accountList(
  users.list,
  storedColumns(accounts, userColumns, { status, email: folded(accounts.login) }),
)

/** Endpoints of accounts: administrators, vendors and end users. */
import * as z from 'zod/mini'
import { adminColumns, userColumns, vendorColumns } from '../../domain/columns/accounts.ts'
import type { Role } from '../../domain/roles.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { bulkEndpoint, Created, Done, endpoint, listEndpoint } from './endpoint.ts'
import {
  ByIdPath,
  changesOf,
  EnteredPassword,
  Id,
  Ids,
  Login,
  ManyIds,
  optionalText,
  Password,
  text,
  Time,
} from './fields.ts'

const Account = z.object({
  _id: Id,
  login: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** True when blocked. */
  status: z.boolean(),
  created_at: Time,
  updated_at: Time,
})
export const Admin = Account
export const Vendor = z.extend(Account, {
  company_name: z.string(),
  company_address: z.string(),
  description: z.string(),
})
export const User = z.extend(Account, { email_confirmed: z.boolean() })

/** The fields of an administrator that are set when it is created and can be changed; of a vendor there are more. */
const adminFields = { login: Login, first_name: text(100), last_name: text(100) }
const vendorFields = {
  ...adminFields,
  company_name: text(200),
  company_address: text(500),
  description: optionalText(2000),
}

const ChangePassword = z.strictObject({ password: Password })
const ChangeStatus = z.strictObject({ status: z.boolean() })
/** Without the current password, an account's login and password are not changed. */
const currentPassword = { current_password: EnteredPassword }
const ChangeOwnPassword = z.strictObject({ ...currentPassword, password: Password })

/** Returns the endpoint that blocks or unblocks many accounts of a kind. */
const changeStatusOfMany = (base: '/api/v3/admins' | '/api/v3/vendors' | '/api/v3/users', roles: readonly Role[]) =>
  bulkEndpoint({
    method: 'PUT',
    path: `${base}/change-status`,
    roles,
    summary: 'Block (true) or unblock (false) accounts.',
    body: z.strictObject({ ids: Ids, status: z.boolean() }),
  })

/** Returns the endpoints for the caller's own account, as an administrator or vendor. */
const ownAccount = <Profile extends z.ZodMiniObject, Edit extends z.ZodMiniObject>(
  base: '/api/v3/admins' | '/api/v3/vendors',
  roles: readonly Role[],
  profile: Profile,
  edit: Edit,
) => ({
  profile: endpoint({
    method: 'GET',
    path: `${base}/me/profile`,
    roles,
    summary: 'The caller’s profile.',
    response: profile,
  }),
  editProfile: endpoint({
    method: 'PATCH',
    path: `${base}/me/profile`,
    roles,
    summary: 'Change the caller’s profile. A change of the login needs the current password.',
    body: edit,
    response: profile,
  }),
  changeOwnPassword: endpoint({
    method: 'PATCH',
    path: `${base}/me/profile/password`,
    roles,
    summary: 'Change the caller’s password. Ends the account’s other sessions and deletes its API keys.',
    body: ChangeOwnPassword,
    response: Done,
  }),
})

/** Returns the endpoints that manage other accounts: administrators or vendors. */
const managedAccounts = (base: '/api/v3/admins' | '/api/v3/vendors', roles: readonly Role[]) => ({
  delete: bulkEndpoint({
    method: 'DELETE',
    path: base,
    roles,
    summary: 'Delete accounts.',
    body: ManyIds,
  }),
  changePassword: endpoint({
    method: 'PATCH',
    path: `${base}/{id}/change-password`,
    roles,
    summary: 'Set the password of another account. Ends all of its sessions and deletes its API keys.',
    params: ByIdPath,
    body: ChangePassword,
    response: Done,
  }),
  changeStatus: endpoint({
    method: 'PATCH',
    path: `${base}/{id}/change-status`,
    roles,
    summary: 'Block (true) or unblock (false) an account.',
    params: ByIdPath,
    body: ChangeStatus,
    response: Done,
  }),
  changeStatusOfMany: changeStatusOfMany(base, roles),
})

export const admins = {
  create: endpoint({
    method: 'POST',
    path: '/api/v3/admins',
    roles: ['superadmin'],
    summary: 'Create an administrator.',
    body: z.strictObject({ ...adminFields, password: Password }),
    response: Created,
  }),
  list: listEndpoint({
    ...listDefinitions.admins.endpoint,
    roles: ['superadmin'],
    summary: 'Administrators.',
    row: Admin,
    columns: adminColumns,
  }),
  ...managedAccounts('/api/v3/admins', ['superadmin']),
  ...ownAccount('/api/v3/admins', ['admin'], Admin, changesOf({ ...adminFields, ...currentPassword })),
}

export const vendors = {
  create: endpoint({
    method: 'POST',
    path: '/api/v3/vendors',
    roles: ['admin'],
    summary: 'Create a vendor.',
    body: z.strictObject({
      ...vendorFields,
      description: z.exactOptional(vendorFields.description),
      password: Password,
    }),
    response: Created,
  }),
  list: listEndpoint({
    ...listDefinitions.vendors.endpoint,
    roles: ['admin'],
    summary: 'Vendors.',
    row: Vendor,
    columns: vendorColumns,
  }),
  edit: endpoint({
    method: 'PATCH',
    path: '/api/v3/vendors/{id}',
    roles: ['admin'],
    summary: 'Change a vendor.',
    params: ByIdPath,
    body: changesOf(vendorFields),
    response: Vendor,
  }),
  ...managedAccounts('/api/v3/vendors', ['admin']),
  ...ownAccount('/api/v3/vendors', ['vendor'], Vendor, changesOf({ ...vendorFields, ...currentPassword })),
}

export const users = {
  list: listEndpoint({
    ...listDefinitions.users.endpoint,
    roles: ['admin'],
    summary: 'End users. Their login is their email address.',
    row: User,
    columns: userColumns,
  }),
  changeStatus: endpoint({
    method: 'PUT',
    path: '/api/v3/users/{id}/change-status',
    roles: ['admin'],
    summary: 'Block (true) or unblock (false) an end user.',
    params: ByIdPath,
    body: ChangeStatus,
    response: Done,
  }),
  changeStatusOfMany: changeStatusOfMany('/api/v3/users', ['admin']),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/v3/users/{id}',
    roles: ['admin'],
    summary: 'Delete an end user.',
    params: ByIdPath,
    response: Done,
  }),
  deleteMany: bulkEndpoint({
    method: 'DELETE',
    path: '/api/v3/users',
    roles: ['admin'],
    summary: 'Delete end users.',
    body: ManyIds,
  }),
}

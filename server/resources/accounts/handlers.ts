/** Endpoints for managing administrators, vendors and end users. */
import { admins, users, vendors } from '../../../src/api/contract/accounts.ts'
import { newPasswordHash } from '../../auth/passwords.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { eq } from 'drizzle-orm'
import type { AccountRole } from '../../../src/domain/roles.ts'
import { notFound } from '../../core/errors.ts'
import { handler, isPreview, type Handler } from '../../endpoints/handler.ts'
import { listPage } from '../shared/list.ts'
import { setBlocked } from './block.ts'
import { adminList, userList, vendorList } from './columns.ts'
import { deleteAccounts } from './remove.ts'
import { accountsByIds, adminOf, userOf, vendorOf, vendorsShowingNameOf } from './rows.ts'
import { accountNames, createAccount, editAccount, findAccount, setPasswordHash } from '../../auth/accounts.ts'

/** Returns the condition for the accounts of a role. */
const accountsOf = (role: AccountRole) => eq(accounts.role, role)

/** Returns the handlers for blocking and unblocking accounts of a role. */
const blockHandlers = (
  { changeStatus, changeStatusOfMany }: Pick<typeof users, 'changeStatus' | 'changeStatusOfMany'>,
  role: AccountRole,
) => [
  handler(changeStatus, async ({ params, body, services: { db, bus, now } }) => {
    const { failed } = await setBlocked(db, role, [params.id], { blocked: body.status, now: now() })
    if (failed.length > 0) throw notFound(accountNames[role])
    bus.publish({ kind: 'accessEnded', accounts: [params.id] })
    return {}
  }),
  handler(changeStatusOfMany, async call => {
    const { ids, status: blocked } = call.body
    const { db, bus, now } = call.services
    const response = await setBlocked(db, role, ids, { blocked, now: now(), preview: isPreview(call) })
    if (!isPreview(call)) bus.publish({ kind: 'accessEnded', accounts: ids })
    return response
  }),
]

/** Returns the handlers that administrators and vendors share. */
function sharedHandlers(calls: typeof admins | typeof vendors, role: AccountRole) {
  const { delete: remove, changePassword } = calls
  return [
    ...blockHandlers(calls, role),
    handler(remove, async call => {
      const { db, bus } = call.services
      const response = await deleteAccounts(db, role, call.body.ids, isPreview(call))
      if (!isPreview(call)) bus.publish({ kind: 'accessEnded', accounts: call.body.ids })
      return response
    }),
    handler(changePassword, async ({ params, body, services: { db, bus, now } }) => {
      const ref = { id: params.id, role }
      // Checked first, because hashing is deliberately slow.
      await findAccount(db, ref)
      await setPasswordHash(db, ref, await newPasswordHash(body.password), now())
      bus.publish({ kind: 'accessEnded', accounts: [params.id] })
      return {}
    }),
  ]
}

const adminHandlers: readonly Handler[] = [
  handler(admins.create, async ({ body, services: { db, now } }) => ({
    _id: await createAccount(db, { ...body, role: 'admin' }, now()),
  })),
  handler(admins.list, async ({ query, services: { db } }) => {
    const { count, keys } = await listPage(db, adminList, accountsOf('admin'), query)
    return { count, data: (await accountsByIds(db, keys)).map(adminOf) }
  }),
  ...sharedHandlers(admins, 'admin'),
]

const vendorHandlers: readonly Handler[] = [
  handler(vendors.create, async ({ body, services: { db, now } }) => ({
    _id: await createAccount(db, { ...body, role: 'vendor' }, now()),
  })),
  handler(vendors.list, async ({ query, services: { db } }) => {
    const { count, keys } = await listPage(db, vendorList, accountsOf('vendor'), query)
    return { count, data: (await accountsByIds(db, keys)).map(vendorOf) }
  }),
  handler(vendors.edit, async ({ params, body, affectedVendors, services: { db, now } }) => {
    const vendor = vendorOf(await editAccount(db, { id: params.id, role: 'vendor' }, body, now()))
    affectedVendors(await vendorsShowingNameOf(db, params.id))
    return vendor
  }),
  ...sharedHandlers(vendors, 'vendor'),
]

const userHandlers: readonly Handler[] = [
  handler(users.list, async ({ query, services: { db } }) => {
    const { count, keys } = await listPage(db, userList, accountsOf('user'), query)
    return { count, data: (await accountsByIds(db, keys)).map(userOf) }
  }),
  ...blockHandlers(users, 'user'),
  handler(users.delete, async ({ params, services: { db } }) => {
    const { failed } = await deleteAccounts(db, 'user', [params.id])
    // Nothing depends on end users, so the only failure is an unknown id.
    if (failed.length > 0) throw notFound(accountNames.user)
    return {}
  }),
  handler(users.deleteMany, call => deleteAccounts(call.services.db, 'user', call.body.ids, isPreview(call))),
]

export const accountHandlers: readonly Handler[] = [...adminHandlers, ...vendorHandlers, ...userHandlers]

/** Endpoints for the caller's own account, for administrators and vendors. */
import { admins, vendors } from '../../../src/api/contract/accounts.ts'
import { newPasswordHash, verifyPassword } from '../../auth/passwords.ts'
import { badRequest } from '../../core/errors.ts'
import { handler, type Call, type Caller, type Handler } from '../../endpoints/handler.ts'
import { adminOf, vendorOf, vendorsNaming } from './rows.ts'
import { editAccount, findAccount, setPassword } from '../../auth/accounts.ts'

/** Returns the reference to the caller's account. */
const ownAccount = ({ account, role }: Caller) => ({ id: account, role })

type ChangeOwnPassword = typeof admins.changeOwnPassword
async function changePassword({
  body,
  caller,
  services: { db, now },
}: Call<ChangeOwnPassword['params'], ChangeOwnPassword['query'], ChangeOwnPassword['body']>) {
  const { password_hash } = await findAccount(db, ownAccount(caller))
  if (!(await verifyPassword(password_hash, body.current_password))) throw badRequest('Current password is wrong')
  await setPassword(db, ownAccount(caller), await newPasswordHash(body.password), now(), caller.session)
  return {}
}

export const profileHandlers: readonly Handler[] = [
  handler(admins.profile, async ({ caller, services: { db } }) => adminOf(await findAccount(db, ownAccount(caller)))),
  handler(admins.editProfile, async ({ caller, body, services: { db, now } }) =>
    adminOf(await editAccount(db, ownAccount(caller), body, now())),
  ),
  handler(admins.changeOwnPassword, changePassword),

  handler(vendors.profile, async ({ caller, services: { db } }) => vendorOf(await findAccount(db, ownAccount(caller)))),
  handler(vendors.editProfile, async ({ caller, body, affectedVendors, services: { db, now } }) => {
    const vendor = vendorOf(await editAccount(db, ownAccount(caller), body, now()))
    affectedVendors(await vendorsNaming(db, caller.account))
    return vendor
  }),
  handler(vendors.changeOwnPassword, changePassword),
]

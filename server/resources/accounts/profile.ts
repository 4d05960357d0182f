/** Endpoints for the caller's own account, for administrators and vendors. */
import { admins, vendors } from '../../../src/api/contract/accounts.ts'
import { messages } from '../../../src/domain/messages.ts'
import { checkCurrentPassword, lockWithPassword } from '../../auth/currentPassword.ts'
import { newPasswordHash } from '../../auth/passwords.ts'
import { badRequest } from '../../core/errors.ts'
import { handler, type Call, type Caller, type Handler } from '../../endpoints/handler.ts'
import { adminOf, vendorOf, vendorsShowingNameOf } from './rows.ts'
import { editAccount, findAccount, setPasswordHash } from '../../auth/accounts.ts'

/** Returns the reference to the caller's account. */
const ownAccount = ({ account, role }: Caller) => ({ id: account, role })

type ChangeOwnPassword = typeof admins.changeOwnPassword
async function changePassword({
  body,
  caller,
  services,
}: Call<ChangeOwnPassword['params'], ChangeOwnPassword['query'], ChangeOwnPassword['body']>) {
  const { db, bus, now } = services
  const { password_hash } = await findAccount(db, ownAccount(caller))
  await checkCurrentPassword(services, caller, password_hash, body.current_password)
  const hash = await newPasswordHash(body.password)
  await db.transaction(async tx => {
    await lockWithPassword(tx, { id: caller.account, password_hash })
    await setPasswordHash(tx, ownAccount(caller), hash, now(), caller.session)
  })
  bus.publish({ kind: 'accessEnded', accounts: [caller.account] })
  return {}
}

type EditProfile<Endpoint extends typeof admins.editProfile | typeof vendors.editProfile> = Call<
  Endpoint['params'],
  Endpoint['query'],
  Endpoint['body']
>
/**
 * Stores the changes of the caller's profile and returns the new row. Recovery mails go to the login, so a change of it
 * needs the current password.
 */
async function editProfile({
  body: { current_password, ...changes },
  caller,
  services,
}: EditProfile<typeof admins.editProfile> | EditProfile<typeof vendors.editProfile>) {
  if (Object.keys(changes).length === 0) throw badRequest(messages.nothingToSave)
  const { db, now } = services
  const account = await findAccount(db, ownAccount(caller))
  const changesLogin = changes.login !== undefined && changes.login !== account.login
  if (changesLogin) {
    if (current_password === undefined) throw badRequest(messages.required('Current password'))
    await checkCurrentPassword(services, caller, account.password_hash, current_password)
  }
  return db.transaction(async tx => {
    if (changesLogin) await lockWithPassword(tx, account)
    return editAccount(tx, ownAccount(caller), changes, now())
  })
}

export const profileHandlers: readonly Handler[] = [
  handler(admins.profile, async ({ caller, services: { db } }) => adminOf(await findAccount(db, ownAccount(caller)))),
  handler(admins.editProfile, async call => adminOf(await editProfile(call))),
  handler(admins.changeOwnPassword, changePassword),

  handler(vendors.profile, async ({ caller, services: { db } }) =>
    // With an administrator's key that is limited to a vendor, the vendor's.
    vendorOf(await findAccount(db, { id: caller.vendor!, role: 'vendor' })),
  ),
  handler(vendors.editProfile, async call => {
    const vendor = vendorOf(await editProfile(call))
    call.affectedVendors(await vendorsShowingNameOf(call.services.db, call.caller.account))
    return vendor
  }),
  handler(vendors.changeOwnPassword, changePassword),
]

/** Endpoints for the passkeys of the caller's account. */
import { passkeys } from '../../src/api/contract/passkeys.ts'
import { conflict, notFound } from '../core/errors.ts'
import { handler, type Handler } from '../endpoints/handler.ts'
import { findAccount } from './accounts.ts'
import {
  authenticationOptions,
  hasPasskey,
  listPasskeys,
  registrationOptions,
  removePasskey,
  storePasskey,
  verifyRegistration,
} from './passkeys.ts'
import { needRelyingParty, relyingPartyOf } from './relyingParty.ts'
import { finishSetUp } from './secondFactorHandlers.ts'
import { proofHolder, withAccountProof, withProof } from './secondFactorProof.ts'
import { hasSecondFactor, lockForChange, removeRecoveryCodes } from './secondFactors.ts'

export const passkeyHandlers: readonly Handler[] = [
  handler(passkeys.list, async ({ caller, services: { db, config } }) => {
    const rows = await listPasskeys(db, caller.account)
    const party = relyingPartyOf(config.publicUrl)
    return {
      passkeys: rows.map(({ id, name, created_at, used_at }) => ({
        _id: id,
        name,
        created_at: created_at.toISOString(),
        used_at: used_at?.toISOString() ?? null,
      })),
      unavailable: 'unavailable' in party ? party.unavailable : null,
    }
  }),

  handler(passkeys.start, async call => {
    const { caller, services } = call
    const { db, now } = services
    const party = needRelyingParty(services)
    const { login } = await findAccount(db, { id: caller.account, role: caller.role })
    // A stolen session must not get a second factor of its own.
    const options = await withAccountProof(call, (tx, account) =>
      registrationOptions(tx, party, { account, id: caller.session, login }, now()),
    )
    return { ...options }
  }),

  handler(passkeys.add, async ({ caller, body: { name, credential }, services }) => {
    const { db, bus, now } = services
    const { account, session } = caller
    // A challenge exists only after the password and the present second factor have been checked.
    const passkey = await verifyRegistration(
      db,
      needRelyingParty(services),
      { account, id: session },
      { ...credential, clientExtensionResults: {} },
      now(),
    )
    const added = await db.transaction(async tx => {
      await lockForChange(tx, account)
      const isFirst = !(await hasSecondFactor(tx, account))
      const _id = await storePasskey(tx, account, { name, ...passkey }, now())
      return { _id, recovery_codes: await finishSetUp(tx, caller, isFirst) }
    })
    bus.publish({ kind: 'accessEnded', accounts: [account] })
    return added
  }),

  handler(passkeys.startProof, async ({ caller, services }) => ({
    ...(await authenticationOptions(services.db, needRelyingParty(services), proofHolder(caller), services.now())),
  })),

  handler(passkeys.remove, async call => {
    const { params, caller, services } = call
    const { db, bus, config } = services
    if (!(await hasPasskey(db, caller.account, params.id))) throw notFound('Passkey')
    await withProof(call, async (tx, account) => {
      if (!(await removePasskey(tx, account, params.id))) throw notFound('Passkey')
      if (await hasSecondFactor(tx, account)) return
      if (config.secondFactorRoles.includes(caller.role))
        throw conflict('Your account needs a second factor: add another one before you remove this passkey')
      await removeRecoveryCodes(tx, account)
    })
    bus.publish({ kind: 'accessEnded', accounts: [caller.account] })
    return {}
  }),
]

/** Endpoints for the second factor of the caller's account, and for removing that of another. */
import { secondFactor } from '../../src/api/contract/secondFactor.ts'
import type { AccountRole } from '../../src/domain/roles.ts'
import { conflict } from '../core/errors.ts'
import type { Database } from '../db/database.ts'
import { handler, type Caller, type Handler } from '../endpoints/handler.ts'
import { findAccount } from './accounts.ts'
import { withAccountProof, withProof } from './secondFactorProof.ts'
import {
  confirmKey,
  countRecoveryCodes,
  createKey,
  hasAuthenticator,
  hasSecondFactor,
  lockForChange,
  removeSecondFactor,
  renewRecoveryCodes,
} from './secondFactors.ts'
import { endSessions } from './sessions.ts'
import { clearAttempts, codeLimit, countAttempt } from './throttle.ts'

/**
 * Completes the setup of an authenticator or passkey. If it is the account's first second factor, ends its other sessions,
 * which began without one. Returns new recovery codes for the first one or if none are left; otherwise an empty array.
 */
export async function finishSetUp(
  tx: Database,
  { account, session }: Pick<Caller, 'account' | 'session'>,
  isFirst: boolean,
): Promise<string[]> {
  if (isFirst) await endSessions(tx, [account], session)
  return isFirst || (await countRecoveryCodes(tx, account)) === 0 ? renewRecoveryCodes(tx, account) : []
}

/** Returns the handler that removes the second factor of an account of a role. */
const resetHandler = (endpoint: typeof secondFactor.resetAdmin, role: AccountRole) =>
  handler(endpoint, async ({ params: { id }, services: { db, bus } }) => {
    await findAccount(db, { id, role })
    await db.transaction(async tx => {
      if (!(await removeSecondFactor(tx, id))) throw conflict('This account has no second factor')
      await endSessions(tx, [id])
    })
    bus.publish({ kind: 'accessEnded', accounts: [id] })
    return {}
  })

export const secondFactorHandlers: readonly Handler[] = [
  handler(secondFactor.status, async ({ caller: { account, role }, services: { db, config } }) => {
    const enabled = await hasSecondFactor(db, account)
    return {
      enabled,
      authenticator: await hasAuthenticator(db, account),
      required: config.secondFactorRoles.includes(role),
      recovery_codes: enabled ? await countRecoveryCodes(db, account) : 0,
    }
  }),

  handler(secondFactor.start, async call => {
    const { db, secrets } = call.services
    const account = await findAccount(db, { id: call.caller.account, role: call.caller.role })
    // A stolen session must not lock the owner out by a second factor of its own.
    return withAccountProof(call, tx => createKey(tx, secrets, account))
  }),

  handler(secondFactor.confirm, async ({ caller, body, address, services: { db, bus, secrets, now } }) => {
    const limit = codeLimit(caller.account, address)
    await countAttempt(db, now(), limit)
    const recovery_codes = await db.transaction(async tx => {
      // A concurrent sign-in with the password alone waits, and then needs the code, or is ended here too.
      await lockForChange(tx, caller.account)
      const isFirst = !(await hasSecondFactor(tx, caller.account))
      await confirmKey(tx, secrets, caller.account, body.code, now())
      return finishSetUp(tx, caller, isFirst)
    })
    await clearAttempts(db, now(), limit)
    bus.publish({ kind: 'accessEnded', accounts: [caller.account] })
    return { recovery_codes }
  }),

  handler(secondFactor.renewCodes, async call => ({ recovery_codes: await withProof(call, renewRecoveryCodes) })),

  handler(secondFactor.disable, async call => {
    const { caller, services } = call
    if (services.config.secondFactorRoles.includes(caller.role))
      throw conflict('Your account needs a second factor, so it cannot be turned off')
    await withProof(call, removeSecondFactor)
    services.bus.publish({ kind: 'accessEnded', accounts: [caller.account] })
    return {}
  }),

  resetHandler(secondFactor.resetAdmin, 'admin'),
  resetHandler(secondFactor.resetVendor, 'vendor'),
]

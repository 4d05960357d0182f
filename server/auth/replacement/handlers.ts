/** Endpoints that replace the authenticator of the caller's account. */
import { secondFactor } from '../../../src/api/contract/secondFactor.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { findAccount } from '../accounts.ts'
import { withProof } from '../secondFactorProof.ts'
import { lockForChange } from '../secondFactors.ts'
import { endSessions } from '../sessions.ts'
import { clearAttempts, codeLimit, countAttempt } from '../throttle.ts'
import { confirmNextKey, createNextKey } from './replaceKey.ts'

export const replacementHandlers: readonly Handler[] = [
  handler(secondFactor.startReplacement, async call => {
    const { caller, services } = call
    const { login } = await findAccount(services.db, { id: caller.account, role: caller.role })
    return withProof(call, tx => createNextKey(tx, services.secrets, { ...caller, login }, services.now()))
  }),

  handler(secondFactor.confirmReplacement, async ({ caller, body, address, services: { db, bus, secrets, now } }) => {
    const limit = codeLimit(caller.account, address)
    await countAttempt(db, now(), limit)
    await db.transaction(async tx => {
      // A concurrent sign-in with a code of the old authenticator waits, and is then refused or ended here too.
      await lockForChange(tx, caller.account)
      await confirmNextKey(tx, secrets, caller, body.code, now())
      await endSessions(tx, [caller.account], caller.session)
    })
    await clearAttempts(db, now(), limit)
    bus.publish({ kind: 'accessEnded', accounts: [caller.account] })
    return {}
  }),
]

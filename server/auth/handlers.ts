/** Signing in and out. */
import { auth } from '../../src/api/contract/auth.ts'
import { forbidden, HttpError } from '../errors.ts'
import { handler, type Handler } from '../handler.ts'
import { accountOfLogin } from '../resources/accounts/store.ts'
import { confirmationHandlers } from './confirmation.ts'
import { passwordFits, passwordOfNobody } from './passwords.ts'
import { recoveryHandlers } from './recovery.ts'
import { endSession, mayCall, refreshSession, startSession } from './sessions.ts'
import { attemptKey, clearAttempts, countAttempt } from './throttle.ts'

export const authHandlers: readonly Handler[] = [
  handler(auth.login, async ({ body, address, concerns, services: { db, now } }) => {
    const key = attemptKey(body.login, address)
    await countAttempt(db, key, now())
    const account = await accountOfLogin(db, body.login)
    if (account) concerns(account)
    const fits = account
      ? await passwordFits(account.password_hash, body.password)
      : await passwordOfNobody(body.password)
    if (!account || !fits) throw new HttpError(401, 'Wrong login or password')
    await clearAttempts(db, key, now())
    // Only who knows the password learns these.
    const { role } = account
    if (!mayCall(role)) throw forbidden('This account has no access to the dashboard')
    if (account.blocked) throw forbidden('This account is blocked')
    return startSession(db, { id: account.id, role }, now())
  }),

  handler(auth.logout, async ({ caller, services: { db } }) => {
    await endSession(db, caller.session)
    return {}
  }),

  handler(auth.refresh, async ({ token, services: { db, now } }) => {
    const tokens = await refreshSession(db, token, now())
    if (!tokens) throw new HttpError(401, 'The session has ended, please sign in again')
    return tokens
  }),

  ...recoveryHandlers,
  ...confirmationHandlers,
]

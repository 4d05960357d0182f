/** Endpoints for signing in and out. */
import { and, eq } from 'drizzle-orm'
import { auth } from '../../src/api/contract/auth.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { forbidden, HttpError } from '../core/errors.ts'
import { handler, type Handler } from '../endpoints/handler.ts'
import { findAccountByLogin, type AccountRow } from './accounts.ts'
import { confirmationHandlers } from './confirmation.ts'
import { verifyPassword, verifyDummyPassword } from './passwords.ts'
import { recoveryHandlers } from './recovery.ts'
import { endSession, hasDashboardAccess, refreshSession, startSession } from './sessions.ts'
import { attemptKey, clearAttempts, countAttempt } from './throttle.ts'

const wrongCredentials = () => new HttpError(401, 'Wrong login or password')

/**
 * Returns whether the account is unchanged since its password was checked, which takes a while. Locks the row, so that
 * a concurrent change of the account waits for the new session and ends it too.
 */
async function isUnchanged(tx: Database, { id, password_hash }: AccountRow): Promise<boolean> {
  const same = and(eq(accounts.id, id), eq(accounts.password_hash, password_hash), eq(accounts.blocked, false))
  return (await tx.select({ id: accounts.id }).from(accounts).where(same).for('share')).length > 0
}

export const authHandlers: readonly Handler[] = [
  handler(auth.login, async ({ body, address, auditSubject, services: { db, now } }) => {
    const key = attemptKey(body.login, address)
    await countAttempt(db, key, now())
    const account = await findAccountByLogin(db, body.login)
    if (account) auditSubject(account)
    const isCorrect = account
      ? await verifyPassword(account.password_hash, body.password)
      : await verifyDummyPassword(body.password)
    if (!account || !isCorrect) throw wrongCredentials()
    await clearAttempts(db, key, now())
    // Checked after the password, so that these errors do not reveal whether an account exists.
    const { role } = account
    if (!hasDashboardAccess(role)) throw forbidden('This account has no access to the dashboard')
    if (account.blocked) throw forbidden('This account is blocked')
    return db.transaction(async tx => {
      if (!(await isUnchanged(tx, account))) throw wrongCredentials()
      return startSession(tx, { id: account.id, role }, now())
    })
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

/** Endpoints for signing in and out. */
import { and, eq } from 'drizzle-orm'
import { auth } from '../../src/api/contract/auth.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { forbidden, HttpError } from '../core/errors.ts'
import { handler, type Handler } from '../endpoints/handler.ts'
import { findAccountByLogin, type AccountRow } from './accounts.ts'
import { apiKeyHandlers } from './apiKeyHandlers.ts'
import { hasDashboardAccess } from './callers.ts'
import { confirmationHandlers } from './confirmation.ts'
import { verifyPassword, verifyDummyPassword } from './passwords.ts'
import { ownSessionHandlers } from './ownSessions.ts'
import { passkeyHandlers } from './passkeyHandlers.ts'
import { authenticationOptions, listPasskeys, storeUse, verifyAssertion } from './passkeys.ts'
import { recoveryHandlers } from './recovery.ts'
import { needRelyingParty, relyingPartyOf } from './relyingParty.ts'
import { secondFactorHandlers } from './secondFactorHandlers.ts'
import { limitsOfCode } from './secondFactorProof.ts'
import { hasSecondFactor, isAuthenticatorCode, takeCode, wrongCode } from './secondFactors.ts'
import { endSession, refreshSession, startSession } from './sessions.ts'
import { consumeTicket, findAccountByTicket, issueTicket } from './tickets.ts'
import { clearAttempts, codeLimit, countAttempt, forgetAttempts, loginLimit, networkLimit } from './throttle.ts'
import { isKnownNetwork } from './networks.ts'
import { hashToken } from './tokens.ts'

const endedSignIn = () => new HttpError(401, 'This sign-in has expired, please sign in again')
const wrongCredentials = () => new HttpError(401, 'Wrong login or password')

/**
 * Returns whether the account is unchanged since its password was checked, which takes a while. Locks the row, so that
 * a concurrent change of the account waits for the new session and ends it too.
 */
async function isUnchanged(tx: Database, { id, password_hash }: AccountRow): Promise<boolean> {
  const same = and(eq(accounts.id, id), eq(accounts.password_hash, password_hash), eq(accounts.blocked, false))
  return (await tx.select({ id: accounts.id }).from(accounts).where(same).for('share')).length > 0
}

/** Makes a concurrent change of the account, which ends its sessions and tickets, wait for the new session too. */
async function lockAccount(tx: Database, id: string): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for('share')
}

export const authHandlers: readonly Handler[] = [
  handler(auth.login, async ({ body, address, userAgent, auditSubject, auditStart, services: { db, config, now } }) => {
    const account = await findAccountByLogin(db, body.login)
    // The limit of a network does not count for an account that has signed in from it: failures of neighbours would keep it out.
    const isKnown = await isKnownNetwork(db, account?.id, address, now())
    const own = await loginLimit(db, body.login, address)
    const attempts = await countAttempt(db, now(), own, ...(isKnown ? [] : [networkLimit(address)]))
    if (account) auditSubject(account)
    const isCorrect = account
      ? await verifyPassword(account.password_hash, body.password)
      : await verifyDummyPassword(body.password)
    if (!account || !isCorrect) throw wrongCredentials()
    await clearAttempts(db, now(), own)
    await forgetAttempts(db, attempts)
    // Checked after the password, so that these errors do not reveal whether an account exists.
    const { role } = account
    if (!hasDashboardAccess(role)) throw forbidden('This account has no access to the dashboard')
    if (account.blocked) throw forbidden('This account is blocked')
    const isProtected = await hasSecondFactor(db, account.id)
    await auditStart(account, { factor: isProtected ? 'pending' : 'password' })
    return db.transaction(async tx => {
      if (!(await isUnchanged(tx, account))) throw wrongCredentials()
      if (isProtected) {
        const login_ticket = await issueTicket(tx, account.id, now())
        const offersPasskey =
          !('unavailable' in relyingPartyOf(config.publicUrl)) && (await listPasskeys(tx, account.id)).length > 0
        return offersPasskey ? { login_ticket, passkey: true as const } : { login_ticket }
      }
      // A second factor was set up while the password was checked.
      if (await hasSecondFactor(tx, account.id)) throw endedSignIn()
      const tokens = await startSession(tx, { id: account.id, role }, now(), { address, userAgent })
      return config.secondFactorRoles.includes(role) ? { ...tokens, second_factor_required: true as const } : tokens
    })
  }),

  handler(auth.enterCode, async ({ token, body, address, userAgent, auditStart, auditSubject, services }) => {
    const { db, secrets, now } = services
    const account = await findAccountByTicket(db, token, now())
    if (!account) throw endedSignIn()
    auditSubject(account)
    const { id, role } = account
    if (!hasDashboardAccess(role)) throw endedSignIn()
    const limits = limitsOfCode(body.code, id, address)
    await countAttempt(db, now(), ...limits)
    await auditStart(account, { factor: isAuthenticatorCode(body.code) ? 'authenticator' : 'recovery code' })
    const tokens = await db.transaction(async tx => {
      await lockAccount(tx, id)
      // The ticket stays valid after a wrong code, which rolls back.
      if (!(await consumeTicket(tx, token, now()))) throw endedSignIn()
      if (!(await takeCode(tx, secrets, id, body.code, now()))) throw wrongCode()
      return startSession(tx, { id, role }, now(), { address, userAgent })
    })
    await clearAttempts(db, now(), ...limits)
    return tokens
  }),

  handler(auth.startPasskey, async ({ token, services }) => {
    const { db, now } = services
    const account = await findAccountByTicket(db, token, now())
    if (!account) throw endedSignIn()
    const holder = { account: account.id, id: hashToken(token) }
    return { ...(await authenticationOptions(db, needRelyingParty(services), holder, now())) }
  }),

  handler(auth.usePasskey, async ({ token, body, address, userAgent, auditStart, auditSubject, services }) => {
    const { db, now } = services
    const account = await findAccountByTicket(db, token, now())
    if (!account) throw endedSignIn()
    auditSubject(account)
    const { id, role } = account
    if (!hasDashboardAccess(role)) throw endedSignIn()
    const party = needRelyingParty(services)
    const limit = codeLimit(id, address)
    await countAttempt(db, now(), limit)
    await auditStart(account, { factor: 'passkey' })
    const holder = { account: id, id: hashToken(token) }
    const credential = { ...body.credential, clientExtensionResults: {} }
    const assertion = await verifyAssertion(db, party, holder, credential, now())
    const tokens = await db.transaction(async tx => {
      await lockAccount(tx, id)
      if (!(await consumeTicket(tx, token, now()))) throw endedSignIn()
      await storeUse(tx, assertion, now())
      return startSession(tx, { id, role }, now(), { address, userAgent })
    })
    await clearAttempts(db, now(), limit)
    return tokens
  }),

  handler(auth.logout, async ({ caller, services: { db, bus } }) => {
    await endSession(db, caller.session)
    bus.publish({ kind: 'accessEnded', accounts: [caller.account] })
    return {}
  }),

  handler(auth.refresh, async ({ token, address, userAgent, services: { db, config, bus, now } }) => {
    const { secondFactorRoles } = config
    const { tokens, ended } = await refreshSession(db, token, now(), {
      client: { address, userAgent },
      secondFactorRoles,
    })
    if (ended !== undefined) bus.publish({ kind: 'accessEnded', accounts: [ended] })
    if (!tokens) throw new HttpError(401, 'The session has ended, please sign in again')
    return tokens
  }),

  ...ownSessionHandlers,
  ...secondFactorHandlers,
  ...passkeyHandlers,
  ...apiKeyHandlers,
  ...recoveryHandlers,
  ...confirmationHandlers,
]

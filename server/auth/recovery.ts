/** Password recovery: mailing the link, and setting a new password with its token. */
import { auth } from '../../src/api/contract/auth.ts'
import { badRequest } from '../core/errors.ts'
import { handler, type Handler, type Services } from '../endpoints/handler.ts'
import { recoveryMail } from '../mail/messages.ts'
import { isAddress } from '../mail/mail.ts'
import { findAccountByLogin, setPassword } from './accounts.ts'
import { findAccountByToken, issueMailToken, consumeMailToken } from './mailTokens.ts'
import { newPasswordHash } from './passwords.ts'
import { hasDashboardAccess } from './sessions.ts'
import { attemptKey, clearAttempts, countAttempt, forgotKey, maxPerAddress, tokenKey } from './throttle.ts'

/** Mails a recovery link if the login is an email address and the account may sign in. */
async function sendRecovery({ db, mail, config, now }: Services, login: string): Promise<void> {
  const account = await findAccountByLogin(db, login)
  if (!account || account.blocked || !hasDashboardAccess(account.role) || !isAddress(account.login)) return
  const token = await issueMailToken(db, account.id, 'recovery', now())
  await mail.send(account.login, recoveryMail(config.publicUrl, account, token))
}

const forgotPassword = handler(auth.forgotPassword, async ({ body: { login }, address, auditSubject, services }) => {
  const { db, now, background } = services
  await countAttempt(db, forgotKey('', address), now(), maxPerAddress)
  await countAttempt(db, forgotKey(login, address), now())
  const account = await findAccountByLogin(db, login)
  if (account) auditSubject(account)
  // Runs after the response, so that its content and timing do not reveal whether the login exists or mail works.
  background.defer('Could not send a recovery mail', () => sendRecovery(services, login))
  return {}
})

const invalidLink = badRequest('This link is no longer valid, please request a new one')

const restorePassword = handler(auth.restorePassword, async ({ token, body, address, auditSubject, services }) => {
  const { db, now } = services
  await countAttempt(db, tokenKey(address), now(), maxPerAddress)
  const account = await findAccountByToken(db, token, 'recovery', now())
  if (!account) throw invalidLink
  auditSubject(account)
  // Checked before the token is consumed, so that the link still works after a rejected password.
  const hash = await newPasswordHash(body.password)
  await db.transaction(async tx => {
    if (!(await consumeMailToken(tx, token, 'recovery', now()))) throw invalidLink
    await setPassword(tx, account, hash, now())
  })
  // Failed attempts with the forgotten password must not throttle the first sign-in.
  await clearAttempts(db, attemptKey(account.login, address), now())
  await clearAttempts(db, tokenKey(address), now())
  return {}
})

export const recoveryHandlers: readonly Handler[] = [forgotPassword, restorePassword]

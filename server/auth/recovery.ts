/** Password recovery: mailing the link, and setting a new password with its token. */
import { auth } from '../../src/api/contract/auth.ts'
import { badRequest } from '../core/errors.ts'
import { handler, type Handler } from '../endpoints/handler.ts'
import { queueMail } from '../mail/mailQueue.ts'
import { findAccountByLogin, setPasswordHash } from './accounts.ts'
import { findAccountByToken, consumeMailToken } from './mailTokens.ts'
import { newPasswordHash } from './passwords.ts'
import { clearAttempts, countAttempt, forgotLimits, loginLimit, tokenLimit } from './throttle.ts'

const forgotPassword = handler(auth.forgotPassword, async call => {
  const { address, auditSubject, auditWithin } = call
  const { db, now, mails } = call.services
  const { login } = call.body
  await countAttempt(db, now(), ...(await forgotLimits(db, login, address)))
  const account = await findAccountByLogin(db, login)
  if (account) auditSubject(account)
  // A row is queued for every login, and the mail is composed and sent after the response. So neither the response nor its
  // duration reveals whether the login exists or mail works.
  await db.transaction(async tx => {
    await auditWithin(tx)
    await queueMail(tx, { kind: 'recovery', account_id: account?.id ?? null }, now())
  })
  mails.wake()
  return {}
})

const invalidLink = () => badRequest('This link is no longer valid, please request a new one')

const restorePassword = handler(
  auth.restorePassword,
  async ({ token, body, address, auditSubject, auditStart, services }) => {
    const { db, bus, now } = services
    await countAttempt(db, now(), tokenLimit(address))
    const account = await findAccountByToken(db, token, 'recovery', now())
    if (!account) throw invalidLink()
    auditSubject(account)
    // Checked before the token is consumed, so that the link still works after a rejected password.
    const hash = await newPasswordHash(body.password)
    // From here on the call is recorded as a change, because its token was valid.
    await auditStart(account)
    await db.transaction(async tx => {
      if (!(await consumeMailToken(tx, token, 'recovery', now()))) throw invalidLink()
      await setPasswordHash(tx, account, hash, now())
    })
    bus.publish({ kind: 'accessEnded', accounts: [account.id] })
    // Failed attempts with the forgotten password must not throttle the first sign-in.
    await clearAttempts(db, now(), await loginLimit(db, account.login, address), tokenLimit(address))
    return {}
  },
)

export const recoveryHandlers: readonly Handler[] = [forgotPassword, restorePassword]

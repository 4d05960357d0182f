/** Confirmation of an end user's email address: mailing the link, and accepting its token. */
import { eq } from 'drizzle-orm'
import { auth } from '../../src/api/contract/auth.ts'
import { accounts } from '../db/schema/accounts.ts'
import { badRequest } from '../core/errors.ts'
import { handler, type AuditSubject, type Handler, type Services } from '../endpoints/handler.ts'
import { confirmationMail } from '../mail/messages.ts'
import { findAccountByToken, revokeMailTokens, issueMailToken, consumeMailToken } from './mailTokens.ts'
import { clearAttempts, countAttempt, maxPerAddress, tokenKey } from './throttle.ts'

type MailServices = Pick<Services, 'db' | 'mail' | 'config' | 'now'>

/** Mails the confirmation link. Must be called wherever an end user's account is created. */
export async function sendConfirmation(
  { db, mail, config, now }: MailServices,
  account: Pick<AuditSubject, 'id' | 'login'> & { readonly first_name: string },
): Promise<void> {
  const token = await issueMailToken(db, account.id, 'confirmation', now())
  await mail.send(account.login, confirmationMail(config.publicUrl, account, token))
}

const invalidLink = badRequest('This link is no longer valid')

const confirmEmail = handler(auth.confirmEmail, async ({ token, address, auditSubject, services: { db, now } }) => {
  const key = tokenKey(address)
  await countAttempt(db, key, now(), maxPerAddress)
  const account = await findAccountByToken(db, token, 'confirmation', now())
  if (!account) throw invalidLink
  auditSubject(account)
  await db.transaction(async tx => {
    if (!(await consumeMailToken(tx, token, 'confirmation', now()))) throw invalidLink
    await tx.update(accounts).set({ email_confirmed: true, updated_at: now() }).where(eq(accounts.id, account.id))
    await revokeMailTokens(tx, [account.id], 'confirmation')
  })
  await clearAttempts(db, key, now())
  return {}
})

export const confirmationHandlers: readonly Handler[] = [confirmEmail]

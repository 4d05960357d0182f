/**
 * Confirmation of an end user's email address: accepting the token of the link. Wherever an end user's account is created,
 * its transaction must queue the mail of kind `confirmation`.
 */
import { eq } from 'drizzle-orm'
import { auth } from '../../src/api/contract/auth.ts'
import { accounts } from '../db/schema/accounts.ts'
import { badRequest } from '../core/errors.ts'
import { handler, type Handler } from '../endpoints/handler.ts'
import { findAccountByToken, revokeMailTokens, consumeMailToken } from './mailTokens.ts'
import { clearAttempts, countAttempt, tokenLimit } from './throttle.ts'

const invalidLink = badRequest('This link is no longer valid')

const confirmEmail = handler(auth.confirmEmail, async ({ token, address, auditStart, services: { db, now } }) => {
  await countAttempt(db, now(), tokenLimit(address))
  const account = await findAccountByToken(db, token, 'confirmation', now())
  if (!account) throw invalidLink
  await auditStart(account)
  await db.transaction(async tx => {
    if (!(await consumeMailToken(tx, token, 'confirmation', now()))) throw invalidLink
    await tx.update(accounts).set({ email_confirmed: true, updated_at: now() }).where(eq(accounts.id, account.id))
    await revokeMailTokens(tx, [account.id], 'confirmation')
  })
  await clearAttempts(db, now(), tokenLimit(address))
  return {}
})

export const confirmationHandlers: readonly Handler[] = [confirmEmail]

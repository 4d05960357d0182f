/** Tokens that are sent by mail: each works once, for one purpose, until it expires. */
import { and, eq, gt, lt } from 'drizzle-orm'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { mailTokens, type mailPurposes } from '../db/schema/mailTokens.ts'
import { queuedMails } from '../db/schema/queuedMails.ts'
import { hashToken, newToken } from './tokens.ts'
import { msPerHour } from '../../src/domain/time.ts'

type Purpose = (typeof mailPurposes)[number]

const lifetimes: Record<Purpose, number> = { recovery: msPerHour, confirmation: 24 * msPerHour }

/** Creates and returns a token of an account. Earlier tokens stay valid, because mails may arrive in any order. */
export async function issueMailToken(db: Database, account: string, purpose: Purpose, now: Date): Promise<string> {
  const token = newToken()
  await db.delete(mailTokens).where(lt(mailTokens.expires_at, now))
  const expires_at = new Date(now.getTime() + lifetimes[purpose])
  await db.insert(mailTokens).values({ hash: hashToken(token), account_id: account, purpose, expires_at })
  return token
}

const usableToken = (token: string, purpose: Purpose, now: Date) =>
  and(eq(mailTokens.hash, hashToken(token)), eq(mailTokens.purpose, purpose), gt(mailTokens.expires_at, now))

/** Returns the account of a valid token without consuming it; `undefined` for a blocked account. */
export async function findAccountByToken(db: Database, token: string, purpose: Purpose, now: Date) {
  const [account] = await db
    .select({ id: accounts.id, login: accounts.login, role: accounts.role })
    .from(mailTokens)
    .innerJoin(accounts, eq(accounts.id, mailTokens.account_id))
    .where(and(usableToken(token, purpose, now), eq(accounts.blocked, false)))
  return account
}

/** Consumes a token. Returns whether it was valid, which is true for only one of several concurrent calls. */
export async function consumeMailToken(db: Database, token: string, purpose: Purpose, now: Date): Promise<boolean> {
  const used = await db
    .delete(mailTokens)
    .where(usableToken(token, purpose, now))
    .returning({ hash: mailTokens.hash })
  return used.length > 0
}

/** Revokes the tokens of accounts, of one purpose or of all, and removes the mails that are still to carry one. */
export async function revokeMailTokens(db: Database, accountIds: readonly string[], purpose?: Purpose): Promise<void> {
  // Mails first: this waits for one that is just being given its token, so that the token is seen and deleted below.
  await db
    .delete(queuedMails)
    .where(
      and(anyOf(queuedMails.account_id, accountIds), purpose === undefined ? undefined : eq(queuedMails.kind, purpose)),
    )
  await db
    .delete(mailTokens)
    .where(
      and(
        anyOf(mailTokens.account_id, accountIds),
        purpose === undefined ? undefined : eq(mailTokens.purpose, purpose),
      ),
    )
}

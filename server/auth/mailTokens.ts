/** Tokens that go out by mail: each works once, for one purpose, until it expires. */
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { mailTokens, type mailPurposes } from '../db/schema/mailTokens.ts'
import { hashToken, newToken } from './tokens.ts'

type Purpose = (typeof mailPurposes)[number]

const hour = 3_600_000
const lifetimes: Record<Purpose, number> = { recovery: hour, confirmation: 24 * hour }

/** A new token of an account. Earlier ones stay: mails may arrive in any order. */
export async function issueMailToken(db: Database, account: string, purpose: Purpose, now: Date): Promise<string> {
  const token = newToken()
  await db.delete(mailTokens).where(lt(mailTokens.expires_at, now))
  const expires_at = new Date(now.getTime() + lifetimes[purpose])
  await db.insert(mailTokens).values({ hash: hashToken(token), account_id: account, purpose, expires_at })
  return token
}

const isUsable = (token: string, purpose: Purpose, now: Date) =>
  and(eq(mailTokens.hash, hashToken(token)), eq(mailTokens.purpose, purpose), gt(mailTokens.expires_at, now))

/** The account that a usable token is of; the token stays usable. A blocked account has none. */
export async function accountOfToken(db: Database, token: string, purpose: Purpose, now: Date) {
  const [account] = await db
    .select({ id: accounts.id, login: accounts.login, role: accounts.role })
    .from(mailTokens)
    .innerJoin(accounts, eq(accounts.id, mailTokens.account_id))
    .where(and(isUsable(token, purpose, now), eq(accounts.blocked, false)))
  return account
}

/** Uses a token up; whether it was there to be used, so that of two calls at once one alone gets through. */
export async function useMailToken(db: Database, token: string, purpose: Purpose, now: Date): Promise<boolean> {
  const used = await db
    .delete(mailTokens)
    .where(isUsable(token, purpose, now))
    .returning({ hash: mailTokens.hash })
  return used.length > 0
}

/** Ends all tokens of accounts, of one purpose or of both. */
export async function revokeMailTokens(db: Database, of: readonly string[], purpose?: Purpose): Promise<void> {
  const ofAccounts = sql`${mailTokens.account_id} = any(${sql.param(of)}::text[])`
  await db
    .delete(mailTokens)
    .where(and(ofAccounts, purpose === undefined ? undefined : eq(mailTokens.purpose, purpose)))
}

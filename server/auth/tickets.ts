/** Tickets of sign-ins with a right password that wait for the second factor: a code or a passkey. */
import { and, eq, gt, lt } from 'drizzle-orm'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { loginTickets } from '../db/schema/secondFactors.ts'
import { hashToken, newToken } from './tokens.ts'
import { msPerMinute } from '../../src/domain/time.ts'

const lifetime = 5 * msPerMinute

/** Creates and returns a ticket, which is valid for five minutes. */
export async function issueTicket(db: Database, account: string, now: Date): Promise<string> {
  const ticket = newToken()
  await db.delete(loginTickets).where(lt(loginTickets.expires_at, now))
  const expires_at = new Date(now.getTime() + lifetime)
  await db.insert(loginTickets).values({ hash: hashToken(ticket), account_id: account, expires_at })
  return ticket
}

const usableTicket = (ticket: string, now: Date) =>
  and(eq(loginTickets.hash, hashToken(ticket)), gt(loginTickets.expires_at, now))

/** Returns the account of a ticket without consuming it; undefined if the ticket is invalid or the account is blocked. */
export async function findAccountByTicket(db: Database, ticket: string, now: Date) {
  const [account] = await db
    .select({ id: accounts.id, login: accounts.login, role: accounts.role })
    .from(loginTickets)
    .innerJoin(accounts, eq(accounts.id, loginTickets.account_id))
    .where(and(usableTicket(ticket, now), eq(accounts.blocked, false)))
  return account
}

/** Consumes a ticket. Returns whether it was valid, which is true for only one of several concurrent calls. */
export async function consumeTicket(tx: Database, ticket: string, now: Date): Promise<boolean> {
  const used = await tx.delete(loginTickets).where(usableTicket(ticket, now)).returning({ hash: loginTickets.hash })
  return used.length > 0
}

/** Revokes the tickets of accounts. */
export async function revokeTickets(db: Database, accountIds: readonly string[]): Promise<void> {
  await db.delete(loginTickets).where(anyOf(loginTickets.account_id, accountIds))
}

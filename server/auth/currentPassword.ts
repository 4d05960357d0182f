/** Proof of the current password, which a session asks for again before it changes how its account signs in. */
import { and, eq } from 'drizzle-orm'
import { badRequest, HttpError } from '../core/errors.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import type { Caller, Services } from '../endpoints/handler.ts'
import { verifyPassword } from './passwords.ts'
import { clearAttempts, countAttempt, currentPasswordLimit } from './throttle.ts'

/** Throws a 400 if the password is wrong, and a 429 after five failures of the session within five minutes. */
export async function checkCurrentPassword(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { session }: Pick<Caller, 'session'>,
  passwordHash: string,
  password: string,
): Promise<void> {
  const limit = currentPasswordLimit(session)
  await countAttempt(db, now(), limit)
  if (!(await verifyPassword(passwordHash, password))) throw badRequest('Current password is wrong')
  await clearAttempts(db, now(), limit)
}

/**
 * Locks an account whose password has been checked. Throws a 401 if the password was changed or the account blocked meanwhile,
 * which has ended the session.
 */
export async function lockWithPassword(
  tx: Database,
  { id, password_hash }: Pick<typeof accounts.$inferSelect, 'id' | 'password_hash'>,
): Promise<void> {
  const unchanged = and(eq(accounts.id, id), eq(accounts.password_hash, password_hash), eq(accounts.blocked, false))
  const [row] = await tx.select({ id: accounts.id }).from(accounts).where(unchanged).for('update')
  if (!row) throw new HttpError(401, 'The session has ended, please sign in again')
}

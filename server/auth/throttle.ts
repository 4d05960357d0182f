/** Guards against guessing, and against being used to send mail: so many attempts in five minutes. */
import { createHash } from 'node:crypto'
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { loginFailures } from '../db/schema/sessions.ts'
import { HttpError } from '../core/errors.ts'

/** Per account and address. */
const maxPerLogin = 5
/** Where attempts count by address alone: an office may have one for all of its people. */
export const maxPerAddress = 20
const windowLength = 5 * 60_000

/** The attempts that count together: a login in whatever case, known or not, from one address. */
export const attemptKey = (login: string, address: string): string =>
  createHash('sha256').update(`${login.toLowerCase()}\0${address}`).digest('base64url')

/** NUL cannot be typed, so no login counts together with these. */
export const forgotKey = (login: string, address: string): string => attemptKey(`forgot\0${login}`, address)
/** Tokens of mails, tried from one address. */
export const tokenKey = (address: string): string => attemptKey('token\0', address)

/**
 * Counts an attempt as failed before its password is checked, so that many at once cannot slip through together;
 * `clearAttempts` takes it back. Throws a 429 with `retry-after` (seconds) when there were too many.
 */
export async function countAttempt(db: Database, key: string, now: Date, maxAttempts = maxPerLogin): Promise<void> {
  const wait = await db.transaction(async tx => {
    // One attempt on a key at a time, in all processes.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    const recent = await tx
      .select({ at: loginFailures.at })
      .from(loginFailures)
      .where(and(eq(loginFailures.key, key), gt(loginFailures.at, new Date(now.getTime() - windowLength))))
      .orderBy(desc(loginFailures.at))
      .limit(maxAttempts)
    const oldest = recent[maxAttempts - 1]
    if (oldest) return oldest.at.getTime() + windowLength - now.getTime()
    await tx.insert(loginFailures).values({ id: newId(), key, at: now })
    return 0
  })
  if (wait <= 0) return
  const seconds = Math.max(1, Math.ceil(wait / 1000))
  throw new HttpError(429, `Too many attempts, please try again in ${formatWait(seconds)}`, {
    'retry-after': String(seconds),
  })
}

/** Forgets the attempts of a login whose password was right, and all that no longer count. */
export async function clearAttempts(db: Database, key: string, now: Date): Promise<void> {
  await db.delete(loginFailures).where(eq(loginFailures.key, key))
  await db.delete(loginFailures).where(lt(loginFailures.at, new Date(now.getTime() - windowLength)))
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

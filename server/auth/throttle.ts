/** Limits attempts to sign in, to request mails and to use mailed tokens, in a window of five minutes. */
import { createHash } from 'node:crypto'
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { loginFailures } from '../db/schema/sessions.ts'
import { HttpError } from '../core/errors.ts'
import { msPerMinute } from '../../src/domain/time.ts'

/** Attempts per login and client address. */
const maxPerLogin = 5
/** Attempts per client address alone; higher, because an office may share one address. */
export const maxPerAddress = 20
const windowLength = 5 * msPerMinute

/** Returns the key under which attempts for a login (without case) from an address are counted. */
export const attemptKey = (login: string, address: string): string =>
  createHash('sha256').update(`${login.toLowerCase()}\0${address}`).digest('base64url')

/** Returns the key for recovery mails. Logins cannot contain NUL, so the key differs from those of logins. */
export const forgotKey = (login: string, address: string): string => attemptKey(`forgot\0${login}`, address)
/** Returns the key for mailed tokens that are tried from an address. */
export const tokenKey = (address: string): string => attemptKey('token\0', address)

/**
 * Counts an attempt as failed before the password is checked, so that concurrent attempts cannot exceed the limit;
 * `clearAttempts` resets the count. Throws a 429 with `retry-after` (seconds) if the limit is reached.
 */
export async function countAttempt(db: Database, key: string, now: Date, maxAttempts = maxPerLogin): Promise<void> {
  const wait = await db.transaction(async tx => {
    // Serializes attempts with the same key across processes.
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

/** Deletes the attempts of a key after a success, and all that are older than the window. */
export async function clearAttempts(db: Database, key: string, now: Date): Promise<void> {
  await db.delete(loginFailures).where(eq(loginFailures.key, key))
  await db.delete(loginFailures).where(lt(loginFailures.at, new Date(now.getTime() - windowLength)))
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

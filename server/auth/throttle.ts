/**
 * Limits attempts to guess a secret: to sign in, to prove the current password, to enter a code, to use a mailed token.
 * They are counted in the database, so that several servers count together.
 */
import { createHash } from 'node:crypto'
import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { addressGroup } from '../core/addressGroup.ts'
import { nameKeys } from '../db/caseFold.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { loginFailures } from '../db/schema/sessions.ts'
import { HttpError } from '../core/errors.ts'
import { msPerHour, msPerMinute } from '../../src/domain/time.ts'

/** How many attempts with a key may fail within a window of milliseconds. */
export interface Limit {
  readonly key: string
  readonly max: number
  readonly window: number
}

const usualWindow = 5 * msPerMinute
const maxWindow = msPerHour

/** Returns the key of a kind of attempt; NUL separates the parts, which cannot contain it. */
const keyOf = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\0')).digest('base64url')

const limit = (max: number, ...parts: readonly string[]): Limit => ({ key: keyOf(...parts), max, window: usualWindow })

/** Returns the same text for all spellings by which the database finds the account, whether or not there is one. */
const keyOfLogin = async (db: Database, login: string): Promise<string> => (await nameKeys(db, [login]))(login)

/** Sign-ins to a login from a network. Others, elsewhere, cannot use up the attempts of its owner. */
export const loginLimit = async (db: Database, login: string, address: string): Promise<Limit> =>
  limit(5, 'login', await keyOfLogin(db, login), addressGroup(address))
/** Sign-ins to any login from a network; more, because an office may share one address. */
export const networkLimit = (address: string): Limit => limit(30, 'network', addressGroup(address))
/** Recovery mails for a login, and for any login, that are requested from a network. */
export const forgotLimits = async (db: Database, login: string, address: string): Promise<readonly Limit[]> => [
  limit(5, 'forgot', await keyOfLogin(db, login), addressGroup(address)),
  limit(20, 'forgot', addressGroup(address)),
]
/** Mailed tokens that are tried from a network. */
export const tokenLimit = (address: string): Limit => limit(20, 'token', addressGroup(address))
/** API keys that are tried from a network and are not valid. */
export const keyLimit = (address: string): Limit => limit(20, 'key', addressGroup(address))
/**
 * Guesses of the current password by a session. Counted by session, not by account: somebody who stole one must not keep
 * the owner from changing the password in another.
 */
export const currentPasswordLimit = (session: string): Limit => limit(5, 'password', session)
/** Codes of a second factor for an account from a network. */
export const codeLimit = (account: string, address: string): Limit => limit(5, 'code', account, addressGroup(address))
/**
 * Codes of an authenticator for an account from everywhere: there are a million, and three are valid at a time, so a year of
 * guessing at this rate succeeds with one chance in four. Recovery codes are too long to guess and are not limited by it,
 * so that the owner can sign in while somebody guesses.
 */
export const authenticatorLimit = (account: string): Limit => ({
  key: keyOf('authenticator', account),
  max: 10,
  window: msPerHour,
})

/** Attempts that were counted, and that can be taken back. */
export type CountedAttempts = readonly string[]

/**
 * Counts an attempt as failed before the secret is checked, so that concurrent attempts cannot exceed a limit. A success
 * takes it back by `clearAttempts` or `forgetAttempts`. If a limit is reached, throws a 429 with `retry-after` (seconds)
 * and counts nothing.
 */
export async function countAttempt(db: Database, now: Date, ...limits: readonly Limit[]): Promise<CountedAttempts> {
  const attempts = limits.map(({ key }) => ({ id: newId(), key, at: now }))
  const wait = await db.transaction(async tx => {
    for (const { key, max, window } of limits) {
      // Serializes attempts with the same key across processes. Callers name keys that many share last.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
      const recent = await tx
        .select({ at: loginFailures.at })
        .from(loginFailures)
        .where(and(eq(loginFailures.key, key), gt(loginFailures.at, new Date(now.getTime() - window))))
        .orderBy(desc(loginFailures.at))
        .limit(max)
      const oldest = recent[max - 1]
      if (oldest) return oldest.at.getTime() + window - now.getTime()
    }
    await tx.insert(loginFailures).values(attempts)
    return 0
  })
  if (wait <= 0) return attempts.map(({ id }) => id)
  const seconds = Math.max(1, Math.ceil(wait / 1000))
  throw new HttpError(429, `Too many attempts, please try again in ${formatWait(seconds)}`, {
    'retry-after': String(seconds),
  })
}

/** Deletes all attempts counted for these limits, after a success, and all that are older than any window. */
export async function clearAttempts(db: Database, now: Date, ...limits: readonly Limit[]): Promise<void> {
  const keys = limits.map(({ key }) => key)
  await db.delete(loginFailures).where(inArray(loginFailures.key, keys))
  await db.delete(loginFailures).where(lt(loginFailures.at, new Date(now.getTime() - maxWindow)))
}

/** Takes back only these attempts: a success of one account must not clear the failures of others. */
export async function forgetAttempts(db: Database, attempts: CountedAttempts): Promise<void> {
  if (attempts.length > 0) await db.delete(loginFailures).where(inArray(loginFailures.id, [...attempts]))
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

/** API keys: creating, finding and revoking them. Each call reads its key, so that a revoked one is refused at once. */
import { and, desc, eq, getTableColumns, gt, isNull, lt, lte, or } from 'drizzle-orm'
import { keyPrefix, maxKeys, type KeyScope } from '../../src/api/contract/apiKeys.ts'
import { msPerDay, msPerMinute } from '../../src/domain/time.ts'
import { conflict } from '../core/errors.ts'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { accounts } from '../db/schema/accounts.ts'
import { apiKeys } from '../db/schema/apiKeys.ts'
import { hasDashboardAccess, vendorOfAccount, type FoundCaller } from './callers.ts'
import { secondFactorExists } from './secondFactors.ts'
import { hashToken, newToken } from './tokens.ts'

/** Milliseconds for which a key stays listed after it has expired, so that its owner sees why a program fails. */
const listedAfterExpiry = 30 * msPerDay
/** Milliseconds for which a stored last use is not replaced, so that not every call writes. */
const lastUsedPrecision = msPerMinute

/** A prefix and a token, as `newToken` makes them. */
const keyPattern = new RegExp(`^${keyPrefix}[\\w-]{43}$`)

/** A key with the company of the vendor that it is limited to. */
export type ListedKey = typeof apiKeys.$inferSelect & { readonly company_name: string | null }

interface NewKey {
  readonly name: string
  readonly scope: KeyScope
  /** Limits the key to what this vendor may see and do. */
  readonly vendor: string | undefined
  /** The days until it expires. */
  readonly days: number
}

/**
 * Creates a key of an account, whose row the caller has locked, so that concurrent calls cannot exceed the maximum. Returns
 * the key itself, which is not stored. Throws a 409 for an account that has the maximum of valid keys.
 */
export async function createApiKey(tx: Database, account: string, { days, vendor, ...values }: NewKey, now: Date) {
  await tx.delete(apiKeys).where(lt(apiKeys.expires_at, new Date(now.getTime() - listedAfterExpiry)))
  const unexpiredKeys = and(eq(apiKeys.account_id, account), gt(apiKeys.expires_at, now))
  if ((await tx.$count(apiKeys, unexpiredKeys)) >= maxKeys)
    throw conflict(`An account can have ${maxKeys} API keys: revoke one that you no longer need`)
  const [id, key] = [newId(), keyPrefix + newToken()]
  const expires_at = new Date(now.getTime() + days * msPerDay)
  await tx.insert(apiKeys).values({
    id,
    account_id: account,
    vendor_id: vendor ?? null,
    ...values,
    hash: hashToken(key),
    created_at: now,
    expires_at,
  })
  return { id, key, expires_at }
}

/** Returns the keys of an account, newest first, including those that expired in the last 30 days. */
export const listApiKeys = (db: Database, account: string, now: Date): Promise<ListedKey[]> =>
  db
    .select({ ...getTableColumns(apiKeys), company_name: accounts.company_name })
    .from(apiKeys)
    .leftJoin(accounts, eq(accounts.id, apiKeys.vendor_id))
    .where(and(eq(apiKeys.account_id, account), gt(apiKeys.expires_at, new Date(now.getTime() - listedAfterExpiry))))
    .orderBy(desc(apiKeys.created_at), desc(apiKeys.id))

/** Revokes a key of an account. Returns whether there was one. After the commit, publish `accessEnded`. */
export async function revokeApiKey(db: Database, account: string, id: string): Promise<boolean> {
  const ownKey = and(eq(apiKeys.id, id), eq(apiKeys.account_id, account))
  return (await db.delete(apiKeys).where(ownKey).returning({ id: apiKeys.id })).length > 0
}

/** Revokes all keys of accounts. After the commit, publish `accessEnded`. */
export async function revokeApiKeys(db: Database, accountIds: readonly string[]): Promise<void> {
  await db.delete(apiKeys).where(anyOf(apiKeys.account_id, accountIds))
}

/** Returns the caller of a key; `undefined` if the key is invalid or the account has no access. */
export async function findKeyCaller(db: Database, key: string, now: Date): Promise<FoundCaller | undefined> {
  if (!keyPattern.test(key)) return undefined
  const [row] = await db
    .select({
      account: accounts.id,
      login: accounts.login,
      role: accounts.role,
      id: apiKeys.id,
      name: apiKeys.name,
      scope: apiKeys.scope,
      vendorLimit: apiKeys.vendor_id,
      used: apiKeys.used_at,
      hasSecondFactor: secondFactorExists(accounts.id),
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.account_id))
    .where(and(eq(apiKeys.hash, hashToken(key)), gt(apiKeys.expires_at, now), eq(accounts.blocked, false)))
  if (!row) return undefined
  const { role, id, name, scope, vendorLimit, used, ...caller } = row
  if (!hasDashboardAccess(role)) return undefined
  return {
    ...caller,
    role: vendorLimit === null ? role : 'vendor',
    vendor: vendorLimit ?? vendorOfAccount({ ...caller, role }),
    // A key has no session, so its id stands for one.
    session: id,
    key: { id, name, scope, accountRole: role },
    isSeenOutdated: used === null || used <= staleBefore(now),
  }
}

/** Returns the time up to which a stored last use is replaced by a new one. */
const staleBefore = (now: Date) => new Date(now.getTime() - lastUsedPrecision)

/** Stores when a key was last used, unless another call just did. */
export async function storeKeyUse(db: Database, id: string, now: Date): Promise<void> {
  const isSeenOutdated = or(isNull(apiKeys.used_at), lte(apiKeys.used_at, staleBefore(now)))
  await db
    .update(apiKeys)
    .set({ used_at: now })
    .where(and(eq(apiKeys.id, id), isSeenOutdated))
}

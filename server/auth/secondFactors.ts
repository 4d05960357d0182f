/** Second factors of accounts: setting up an authenticator, checking codes, and removing the second factor. */
import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, ne, or, sql, type SQLWrapper } from 'drizzle-orm'
import { badRequest, conflict, HttpError } from '../core/errors.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { passkeys, recoveryCodes, secondFactors } from '../db/schema/secondFactors.ts'
import { authenticatorUri, newAuthenticatorKey, stepOfCode } from './authenticator.ts'
import type { Secrets } from '../core/secrets.ts'
import { hashToken } from './tokens.ts'

const recoveryCodeCount = 10
/** Letters and digits that are not mistaken for each other: 5 bits each, 80 bits in a code. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const recoveryCodeLength = 16

const purposeOf = (account: string) => `second factor of ${account}`
const confirmedFactor = (account: string) =>
  and(eq(secondFactors.account_id, account), isNotNull(secondFactors.confirmed_at))

/** Returns the server's secrets. Throws a 503 if it has none. */
function needSecrets(secrets: Secrets | undefined): Secrets {
  if (secrets) return secrets
  throw new HttpError(503, 'Second factors need the setting SECRETS_KEY on the server')
}

/** Returns the SQL of whether an account has a second factor: a confirmed authenticator, or a passkey. */
export const secondFactorExists = (account: SQLWrapper) => sql<boolean>`(
  exists (select from ${secondFactors} f where f.account_id = ${account} and f.confirmed_at is not null)
  or exists (select from ${passkeys} p where p.account_id = ${account}))`

/** Returns whether the account has a second factor, which its sign-ins then need. */
export async function hasSecondFactor(db: Database, account: string): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(sql`select ${secondFactorExists(sql`${account}`)} as has`)
  return rows[0]!.has
}

/** Returns whether the account has an authenticator whose first code was confirmed. */
export const hasAuthenticator = async (db: Database, account: string): Promise<boolean> =>
  (await db.$count(secondFactors, confirmedFactor(account))) > 0

interface AccountName {
  readonly id: string
  readonly login: string
}

/**
 * Returns a new key for an authenticator of the account, as it is shown and as it is stored. Throws a 503 if the server has
 * no secrets.
 */
export function newKey(secrets: Secrets | undefined, account: AccountName) {
  const { keyId, seal } = needSecrets(secrets)
  const key = newAuthenticatorKey()
  return {
    shown: { key, uri: authenticatorUri(key, account.login) },
    stored: { key: seal(key, purposeOf(account.id)), key_id: keyId },
  }
}

/** Creates the key for an authenticator; it replaces one whose first code was not confirmed. Throws a 409 after that. */
export async function createKey(
  db: Database,
  secrets: Secrets | undefined,
  account: AccountName,
): Promise<{ key: string; uri: string }> {
  const { shown, stored } = newKey(secrets, account)
  const rows = await db
    .insert(secondFactors)
    .values({ account_id: account.id, ...stored })
    .onConflictDoUpdate({
      target: secondFactors.account_id,
      set: stored,
      setWhere: isNull(secondFactors.confirmed_at),
    })
    .returning({ account: secondFactors.account_id })
  if (rows.length === 0) throw conflict('This account already has an authenticator')
  return shown
}

/** Turns the authenticator on. Throws a 409 if there is none to confirm, and a 400 for a wrong code. */
export async function confirmKey(
  tx: Database,
  secrets: Secrets | undefined,
  account: string,
  code: string,
  now: Date,
): Promise<void> {
  const unconfirmedFactor = and(eq(secondFactors.account_id, account), isNull(secondFactors.confirmed_at))
  const [row] = await tx.select().from(secondFactors).where(unconfirmedFactor).for('update')
  if (!row) throw conflict('There is no authenticator to confirm, please start again')
  const step = stepOfKey(row, secrets, code, now)
  if (step === undefined) throw wrongCode()
  await tx.update(secondFactors).set({ confirmed_at: now, last_step: step }).where(unconfirmedFactor)
}

/** The error for a code that is wrong, used, or of another time. */
export const wrongCode = () => badRequest('The code is wrong')

/** Returns whether a code has the form of an authenticator's code, not of a recovery code. */
export const isAuthenticatorCode = (code: string): boolean => /^\d{6}$/.test(normalise(code))

/** Without the spaces and dashes with which codes are shown. */
const normalise = (code: string) => code.replaceAll(/[\s-]/g, '').toLowerCase()

/** Uses up a code of the account, of the authenticator or for recovery. Returns whether it was valid, once for each code. */
export async function takeCode(
  tx: Database,
  secrets: Secrets | undefined,
  account: string,
  code: string,
  now: Date,
): Promise<boolean> {
  if (!isAuthenticatorCode(code)) {
    const enteredCode = and(eq(recoveryCodes.account_id, account), eq(recoveryCodes.hash, hashToken(normalise(code))))
    return (await tx.delete(recoveryCodes).where(enteredCode).returning({ hash: recoveryCodes.hash })).length > 0
  }
  const [row] = await tx.select().from(secondFactors).where(confirmedFactor(account))
  const step = row && stepOfKey(row, secrets, code, now)
  if (step === undefined) return false
  const unusedStep = or(isNull(secondFactors.last_step), lt(secondFactors.last_step, step))
  const taken = await tx
    .update(secondFactors)
    .set({ last_step: step })
    .where(and(confirmedFactor(account), unusedStep))
    .returning({ step: secondFactors.last_step })
  return taken.length > 0
}

type StoredKey = Pick<typeof secondFactors.$inferSelect, 'account_id' | 'key' | 'key_id'>

/** Returns the time step of a code of a stored key, or `undefined` if the code is wrong. Throws a 503 without the server's key. */
export const stepOfKey = (row: StoredKey, secrets: Secrets | undefined, code: string, now: Date) =>
  stepOfCode(readKey(row, secrets), normalise(code), now)

function readKey(row: StoredKey, secrets: Secrets | undefined): string {
  const { keyId, unseal } = needSecrets(secrets)
  if (row.key_id !== keyId)
    throw new HttpError(503, 'This server has another SECRETS_KEY than the one that stored the second factor')
  return unseal(row.key, purposeOf(row.account_id))
}

/** Makes other changes of the account's second factor, and sign-ins to it, wait for the end of the transaction. */
export async function lockForChange(tx: Database, account: string): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account)).for('update')
}

/** Replaces the recovery codes of an account that has a second factor, and returns the new ones. */
export async function renewRecoveryCodes(tx: Database, account: string): Promise<string[]> {
  // Locked, so that two calls at the same time do not leave twice as many.
  await lockForChange(tx, account)
  await removeRecoveryCodes(tx, account)
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
  await tx.insert(recoveryCodes).values(codes.map(code => ({ hash: hashToken(normalise(code)), account_id: account })))
  return codes
}

/** Returns a code in groups of four. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(recoveryCodeLength)].map(byte => alphabet[byte % alphabet.length]!).join('')
  return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Returns the number of recovery codes that are left. */
export const countRecoveryCodes = (db: Database, account: string): Promise<number> =>
  db.$count(recoveryCodes, eq(recoveryCodes.account_id, account))

/** Removes the recovery codes of an account. */
export async function removeRecoveryCodes(tx: Database, account: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.account_id, account))
}

/** Removes the authenticator, all passkeys and the recovery codes. Returns whether there was a second factor. */
export async function removeSecondFactor(tx: Database, account: string): Promise<boolean> {
  await lockForChange(tx, account)
  const wasProtected = await hasSecondFactor(tx, account)
  await tx.delete(secondFactors).where(eq(secondFactors.account_id, account))
  await tx.delete(passkeys).where(eq(passkeys.account_id, account))
  await removeRecoveryCodes(tx, account)
  return wasProtected
}

/** Returns the number of second factors that this server cannot read, because another key encrypted them. */
export const countUnreadable = (db: Database, secrets: Secrets | undefined): Promise<number> =>
  db.$count(secondFactors, secrets && ne(secondFactors.key_id, secrets.keyId))

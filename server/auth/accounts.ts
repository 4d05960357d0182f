/** Queries and changes of accounts. Changes revoke the sessions and mail tokens that they invalidate. */
import { and, eq } from 'drizzle-orm'
import { revokeMailTokens } from './mailTokens.ts'
import { newPasswordHash } from './passwords.ts'
import { endSessions } from './sessions.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { accounts, caseless } from '../db/schema/accounts.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { AccountRole } from '../../src/domain/roles.ts'

export type AccountRow = typeof accounts.$inferSelect
type Changes = Partial<typeof accounts.$inferInsert>

/** What an account of each role is called in error messages. */
export const accountNames: Readonly<Record<AccountRole, string>> = {
  superadmin: 'Account',
  admin: 'Administrator',
  vendor: 'Vendor',
  user: 'User',
}

/** The id of an account and the role that it must have; with another role it counts as missing. */
export interface AccountRef {
  readonly id: string
  readonly role: AccountRole
}
const matchesRef = ({ id, role }: AccountRef) => and(eq(accounts.id, id), eq(accounts.role, role))

/** Returns the account. Throws a 404 if it does not exist. */
export async function findAccount(db: Database, ref: AccountRef): Promise<AccountRow> {
  const [row] = await db.select().from(accounts).where(matchesRef(ref))
  if (!row) throw notFound(accountNames[ref.role])
  return row
}

/** Keeps an account from being deleted until the end of the transaction. Throws a 404 if it does not exist. */
export async function lockAgainstDeletion(tx: Database, ref: AccountRef): Promise<void> {
  const [row] = await tx.select({ id: accounts.id }).from(accounts).where(matchesRef(ref)).for('key share')
  if (!row) throw notFound(accountNames[ref.role])
}

/** Returns the account of a login, compared without case. */
export async function findAccountByLogin(db: Database, login: string): Promise<AccountRow | undefined> {
  const [row] = await db
    .select()
    .from(accounts)
    .where(eq(caseless(accounts.login), caseless(login)))
  return row
}

type NewAccount = Changes & { readonly role: AccountRole; readonly login: string; readonly password: string }

/** Creates an account and returns its id. Throws a 409 for a login that is taken, and a 400 for a common password. */
export async function createAccount(db: Database, { password, ...values }: NewAccount, now: Date): Promise<string> {
  const password_hash = await newPasswordHash(password)
  const id = newId()
  await reportDuplicateLogin(() =>
    db.insert(accounts).values({ ...values, id, password_hash, created_at: now, updated_at: now }),
  )
  return id
}

/** Changes an account and returns its new row. Throws a 404 if it does not exist, and a 409 for a taken login. */
export async function editAccount(db: Database, ref: AccountRef, changes: Changes, now: Date): Promise<AccountRow> {
  return db.transaction(async tx => {
    const row = await updateAccount(tx, ref, changes, now)
    // Tokens that were mailed to the old address become invalid.
    if (changes.login !== undefined) await revokeMailTokens(tx, [ref.id])
    return row
  })
}

/** Stores a password's hash, ends the account's access except `exceptSession` (`endSessions`), and revokes its recovery tokens. */
export async function setPasswordHash(
  db: Database,
  ref: AccountRef,
  password_hash: string,
  now: Date,
  exceptSession?: string,
): Promise<void> {
  await db.transaction(async tx => {
    await updateAccount(tx, ref, { password_hash }, now)
    await endSessions(tx, [ref.id], exceptSession)
    await revokeMailTokens(tx, [ref.id], 'recovery')
  })
}

async function updateAccount(db: Database, ref: AccountRef, changes: Changes, now: Date): Promise<AccountRow> {
  const [row] = await reportDuplicateLogin(() =>
    db
      .update(accounts)
      .set({ ...changes, updated_at: now })
      .where(matchesRef(ref))
      .returning(),
  )
  if (!row) throw notFound(accountNames[ref.role])
  return row
}

async function reportDuplicateLogin<Result>(query: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await query()
  } catch (error) {
    if (isDuplicateLogin(error)) throw conflict('This login is already taken')
    throw error
  }
}

/** Returns whether a query failed on the unique index of logins. The driver's error is the cause of Drizzle's. */
const isDuplicateLogin = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'constraint' in error.cause &&
  error.cause.constraint === 'accounts_login_key'

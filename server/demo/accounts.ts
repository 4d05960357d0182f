/** The demo's accounts. Their password is public, so they may be reachable on a loopback address only. */
import { inArray } from 'drizzle-orm'
import { ConfigError } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { companies, people } from './catalogue.ts'
import { demoId } from './random.ts'

/** Logins that the start message shows. */
export const demoLogins = ['superadmin', 'admin', 'vendor', 'vendor2', 'user@example.com'] as const

/** Returns the demo accounts of a database. */
function findDemoAccounts(db: Database) {
  const logins = [...demoLogins, ...companies.map(({ login }) => login), ...people.map(({ login }) => login)]
  const ids = logins.map(login => demoId(`account ${login}`))
  return db.select({ login: accounts.login }).from(accounts).where(inArray(accounts.id, ids))
}

/**
 * Returns whether a database contains the demo. Throws a `ConfigError` if it contains only accounts of an installation:
 * next to them, demo accounts would let everybody in.
 */
export async function hasDemo(db: Database): Promise<boolean> {
  if ((await findDemoAccounts(db)).length > 0) return true
  if ((await db.$count(accounts)) > 0)
    throw new ConfigError(
      "This database has accounts that are not the demo's. Start it with npm run serve, " +
        'or set DATA_DIR or DATABASE_URL to another database for the demo.',
    )
  return false
}

/**
 * Throws a `ConfigError` if the server starts without the demo on a database that contains demo accounts, whose
 * passwords are public.
 */
export async function refuseDemoAccounts(db: Database): Promise<void> {
  const existing = await findDemoAccounts(db)
  if (existing.length > 0)
    throw new ConfigError(
      `This database contains demo accounts (${existing.map(({ login }) => login).join(', ')}) with a public password. ` +
        'Set DATA_DIR or DATABASE_URL to another database, or set DEMO=on to run the demo on a loopback address.',
    )
}

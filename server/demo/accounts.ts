/** The demo's accounts. Their password is public, so they may be reachable on a loopback address only. */
import { inArray } from 'drizzle-orm'
import { ConfigError } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { companies, people } from './catalogue.ts'
import { demoId } from './random.ts'

/** Logins that the start message shows. */
export const demoLogins = ['superadmin', 'admin', 'vendor', 'vendor2', 'user@example.com'] as const

/**
 * Throws a `ConfigError` if the server starts without the demo on a database that contains demo accounts, whose
 * passwords are public.
 */
export async function refuseDemoAccounts(db: Database): Promise<void> {
  const logins = [...demoLogins, ...companies.map(({ login }) => login), ...people.map(({ login }) => login)]
  const ids = logins.map(login => demoId(`account ${login}`))
  const existing = await db.select({ login: accounts.login }).from(accounts).where(inArray(accounts.id, ids))
  if (existing.length > 0)
    throw new ConfigError(
      `This database contains demo accounts (${existing.map(({ login }) => login).join(', ')}) with a public password. ` +
        'Set DATA_DIR or DATABASE_URL to another database, or set DEMO=on to run the demo on a loopback address.',
    )
}

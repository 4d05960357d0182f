/** The demo's published accounts: they exist on a loopback address only. */
import { inArray } from 'drizzle-orm'
import { ConfigError } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { companies, people } from './catalogue.ts'
import { idOf } from './random.ts'

/** Those that the start message names. */
export const demoLogins = ['superadmin', 'admin', 'vendor', 'vendor2', 'user@example.com'] as const

/**
 * Throws a `ConfigError` when a database that the demo was made in is about to be used without it:
 * whoever may reach the server knows those passwords.
 */
export async function refuseDemoAccounts(db: Database): Promise<void> {
  const logins = [...demoLogins, ...companies.map(one => one.login), ...people.map(one => one.login)]
  const ids = logins.map(login => idOf(`account ${login}`))
  const found = await db.select({ login: accounts.login }).from(accounts).where(inArray(accounts.id, ids))
  if (found.length > 0)
    throw new ConfigError(
      `This database holds demo accounts (${found.map(one => one.login).join(', ')}) with a published password. ` +
        'Set DATA_DIR or DATABASE_URL to another one, or DEMO=on to show the demo on a loopback address.',
    )
}

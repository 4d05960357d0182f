/** Creates the first superadmin of a server without a demo. */
import { eq } from 'drizzle-orm'
import { recordCommand } from '../audit/commands.ts'
import { newPasswordHash } from '../auth/passwords.ts'
import { ConfigError, type Config } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { accounts } from '../db/schema/accounts.ts'
import { HttpError } from '../core/errors.ts'

/**
 * Creates the superadmin from the settings unless one exists; later changes of the settings have no effect.
 * Throws a `ConfigError` if none exists and the settings are missing or too weak.
 */
export async function ensureSuperadmin(db: Database, config: Config, now: Date): Promise<void> {
  if (await hasSuperadmin(db)) return
  const credentials = config.superadmin
  if (!credentials)
    throw new ConfigError('There is no superadmin yet. Set SUPERADMIN_LOGIN and SUPERADMIN_PASSWORD to create one.')
  if (credentials.password.length < 8) throw new ConfigError('SUPERADMIN_PASSWORD must be at least 8 characters.')
  const password_hash = await newPasswordHash(credentials.password).catch((error: unknown) => {
    throw error instanceof HttpError ? new ConfigError(`SUPERADMIN_PASSWORD: ${error.message}`) : error
  })
  await db.transaction(async tx => {
    const account = { id: newId(), login: credentials.login, role: 'superadmin', password_hash } as const
    const inserted = await tx
      .insert(accounts)
      .values({ ...account, created_at: now, updated_at: now })
      // Two processes may start at the same time.
      .onConflictDoNothing()
      .returning({ id: accounts.id })
    if (inserted.length > 0) await recordCommand(tx, { action: 'createSuperadmin', ids: [account.id], at: now })
  })
  if (await hasSuperadmin(db)) return
  throw new ConfigError(`SUPERADMIN_LOGIN: ${credentials.login} is the login of another account.`)
}

async function hasSuperadmin(db: Database): Promise<boolean> {
  const [found] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.role, 'superadmin')).limit(1)
  return found !== undefined
}

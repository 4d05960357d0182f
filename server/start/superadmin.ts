/** The first account of a production installation. */
import { eq } from 'drizzle-orm'
import { hashPassword, rejectCommonPassword } from '../auth/passwords.ts'
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
  const existing = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.role, 'superadmin')).limit(1)
  if (existing.length > 0) return
  const credentials = config.superadmin
  if (!credentials)
    throw new ConfigError(
      'There is no account yet. Set SUPERADMIN_LOGIN and SUPERADMIN_PASSWORD to create the superadmin on this first start.',
    )
  if (credentials.password.length < 8) throw new ConfigError('SUPERADMIN_PASSWORD must be at least 8 characters.')
  try {
    await rejectCommonPassword(credentials.password)
  } catch (error) {
    if (error instanceof HttpError) throw new ConfigError(`SUPERADMIN_PASSWORD: ${error.message}`)
    throw error
  }
  await db
    .insert(accounts)
    .values({
      id: newId(),
      role: 'superadmin',
      login: credentials.login,
      password_hash: await hashPassword(credentials.password),
      created_at: now,
      updated_at: now,
    })
    // Two processes may start at the same time.
    .onConflictDoNothing()
}

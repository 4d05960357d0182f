/** The mails that accounts get. Their tokens are made when they are sent, so that no table ever has one in clear. */
import { eq } from 'drizzle-orm'
import type { Config } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import type { mailPurposes } from '../db/schema/mailTokens.ts'
import { isAddress } from '../mail/mail.ts'
import type { Compose } from '../mail/mailQueue.ts'
import { confirmationMail, recoveryMail } from '../mail/messages.ts'
import type { AccountRow } from './accounts.ts'
import { hasDashboardAccess } from './callers.ts'
import { issueMailToken } from './mailTokens.ts'

const kinds = {
  recovery: {
    /** A link for an account that may not sign in would be of no use. */
    isFor: ({ blocked, role }: AccountRow) => !blocked && hasDashboardAccess(role),
    compose: recoveryMail,
  },
  confirmation: { isFor: ({ email_confirmed }: AccountRow) => !email_confirmed, compose: confirmationMail },
} as const satisfies Record<(typeof mailPurposes)[number], unknown>

/** Returns the function that composes a queued mail and issues its token; it returns `undefined` if nobody gets it. */
export const openAccountMails =
  ({ publicUrl }: Pick<Config, 'publicUrl'>, now: () => Date): Compose =>
  async (db: Database, { kind, account_id }) => {
    const [account] = await db
      .select()
      .from(accounts)
      .where(eq(accounts.id, account_id ?? ''))
    const { isFor, compose } = kinds[kind]
    if (!account || !isAddress(account.login) || !isFor(account)) return undefined
    const token = await issueMailToken(db, account.id, kind, now())
    return { to: account.login, message: compose(publicUrl, account, token) }
  }

/** Tokens that went out by mail, kept as SHA-256 hashes only. One is used up by being deleted. */
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { time } from './columns.ts'

export const mailPurposes = ['recovery', 'confirmation'] as const

export const mailTokens = pgTable(
  'mail_tokens',
  {
    hash: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    purpose: text({ enum: mailPurposes }).notNull(),
    expires_at: time().notNull(),
  },
  table => [
    index('mail_tokens_account_index').on(table.account_id),
    index('mail_tokens_expiry_index').on(table.expires_at),
  ],
)

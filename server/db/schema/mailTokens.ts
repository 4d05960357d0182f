/** Tokens that were sent by mail, stored as SHA-256 hashes. A token is consumed by deleting it. */
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

/** API keys of accounts, stored as SHA-256 hashes. */
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { keyScopes } from '../../../src/api/contract/apiKeys.ts'
import { accounts } from './accounts.ts'
import { time } from './columns.ts'

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    hash: text().notNull(),
    scope: text({ enum: keyScopes }).notNull(),
    /** The vendor as which an administrator's key calls; null for all that the account may do. */
    vendor_id: text().references(() => accounts.id, { onDelete: 'cascade' }),
    created_at: time().notNull(),
    expires_at: time().notNull(),
    /** When it last made a call, to the minute; null if it never has. */
    used_at: time(),
  },
  table => [
    uniqueIndex('api_keys_hash_key').on(table.hash),
    index('api_keys_account_index').on(table.account_id),
    index('api_keys_vendor_index').on(table.vendor_id),
    index('api_keys_expiry_index').on(table.expires_at),
  ],
)

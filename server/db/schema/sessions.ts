/**
 * Sessions and what guards the way into them. Tokens are kept as SHA-256 hashes only.
 * A session ends by being deleted, and its tokens go with it.
 */
import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { time } from './columns.ts'

/** One sign-in: the family of all refresh tokens that descend from it. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    created_at: time().notNull(),
    /** When its newest refresh token dies. */
    expires_at: time().notNull(),
  },
  table => [index('sessions_account_index').on(table.account_id), index('sessions_expiry_index').on(table.expires_at)],
)

const ofSession = () =>
  text()
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' })

export const accessTokens = pgTable(
  'access_tokens',
  { hash: text().primaryKey(), session_id: ofSession(), expires_at: time().notNull() },
  table => [
    index('access_tokens_session_index').on(table.session_id),
    index('access_tokens_expiry_index').on(table.expires_at),
  ],
)

export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    hash: text().primaryKey(),
    session_id: ofSession(),
    expires_at: time().notNull(),
    /** Set once it was exchanged; from then on its use is reuse. */
    rotated_at: time(),
    /** The tokens it was exchanged for, sealed under a key that only the old token gives; erased after the grace. */
    successor: text(),
  },
  table => [
    index('refresh_tokens_session_index').on(table.session_id),
    index('refresh_tokens_expiry_index').on(table.expires_at),
    index('refresh_tokens_grace_index')
      .on(table.rotated_at)
      .where(sql`${table.successor} is not null`),
  ],
)

/** Attempts to sign in that did not (or not yet) succeed. */
export const loginFailures = pgTable(
  'login_failures',
  {
    id: text().primaryKey(),
    /** Hash of login and address: what was typed may be a password in the wrong field. */
    key: text().notNull(),
    at: time().notNull(),
  },
  table => [index('login_failures_key_index').on(table.key, table.at), index('login_failures_at_index').on(table.at)],
)

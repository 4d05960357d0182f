/**
 * Sessions, their tokens (stored as SHA-256 hashes), failed attempts, and the networks from which accounts signed in.
 * Deleting a session deletes its tokens.
 */
import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { time } from './columns.ts'

/** A sign-in with its family of refresh tokens. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    created_at: time().notNull(),
    /** When its newest refresh token expires. */
    expires_at: time().notNull(),
    /** Address and `User-Agent` header of the client when it was last seen; empty if unknown. */
    address: text().notNull().default(''),
    user_agent: text().notNull().default(''),
    /** When the session last made a call, to the minute. */
    seen_at: time().notNull().defaultNow(),
  },
  table => [index('sessions_account_index').on(table.account_id), index('sessions_expiry_index').on(table.expires_at)],
)

const sessionReference = () =>
  text()
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' })

export const accessTokens = pgTable(
  'access_tokens',
  { hash: text().primaryKey(), session_id: sessionReference(), expires_at: time().notNull() },
  table => [
    index('access_tokens_session_index').on(table.session_id),
    index('access_tokens_expiry_index').on(table.expires_at),
  ],
)

export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    hash: text().primaryKey(),
    session_id: sessionReference(),
    expires_at: time().notNull(),
    /** When the token was exchanged; later use counts as reuse. */
    rotated_at: time(),
    /** The new tokens, encrypted with a key derived from the old token; erased after the grace period. */
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

/** Attempts, of any kind that is throttled, that failed or are still being checked. */
export const loginFailures = pgTable(
  'login_failures',
  {
    id: text().primaryKey(),
    /** Hash of what attempts are counted by, such as login and address, because the login may be a password typed into the wrong field. */
    key: text().notNull(),
    at: time().notNull(),
  },
  table => [index('login_failures_key_index').on(table.key, table.at), index('login_failures_at_index').on(table.at)],
)

/** Networks from which accounts have signed in, where failures of others do not keep them out. */
export const knownNetworks = pgTable(
  'known_addresses',
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    network: text().notNull(),
    /** When the account last signed in from it. */
    seen_at: time().notNull(),
  },
  table => [
    primaryKey({ columns: [table.account_id, table.network] }),
    index('known_addresses_seen_index').on(table.seen_at),
  ],
)

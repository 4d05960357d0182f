/** Second factors: the keys of authenticators, passkeys, recovery codes, and sign-ins that wait for a second factor. */
import { bigint, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { time } from './columns.ts'

const accountReference = () =>
  text()
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })

export const secondFactors = pgTable('second_factors', {
  account_id: accountReference().primaryKey(),
  /** The authenticator's key in base32, encrypted with the server's key of this id. */
  key: text().notNull(),
  key_id: text().notNull(),
  /** When its first code was confirmed; until then it does not count. */
  confirmed_at: time(),
  /** The time step of the last code that was accepted: neither it nor an earlier one is accepted again. */
  last_step: bigint({ mode: 'number' }),
  /** The key that replaces `key` once its first code is confirmed, and the server's key that encrypted it; null if none does. */
  next_key: text(),
  next_key_id: text(),
  /** The session that has proved who it is for the replacement, and until when it may confirm it. */
  next_session: text(),
  next_expires_at: time(),
})

/** Unused recovery codes, as SHA-256 hashes. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    hash: text().primaryKey(),
    account_id: accountReference(),
  },
  table => [index('recovery_codes_account_index').on(table.account_id)],
)

/** Public keys of passkeys (WebAuthn credentials). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text().primaryKey(),
    account_id: accountReference(),
    name: text().notNull(),
    /** The authenticator's id of the credential, in base64url. */
    credential_id: text().notNull(),
    /** The COSE key in base64url. */
    public_key: text().notNull(),
    /** The authenticator's count of signatures at the last one; 0 if it does not count. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** How a browser reaches the authenticator, such as `usb`. */
    transports: text().array().notNull(),
    created_at: time().notNull(),
    /** When it last signed in; null if it never has. */
    used_at: time(),
  },
  table => [
    index('passkeys_account_index').on(table.account_id),
    uniqueIndex('passkeys_credential_key').on(table.credential_id),
  ],
)

/** Challenges that passkeys have to sign: one for each session that adds a passkey, and each sign-in that uses one. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** The id of the session, or the hash of the login ticket. */
    holder: text().primaryKey(),
    account_id: accountReference(),
    /** SHA-256 of the challenge. */
    hash: text().notNull(),
    expires_at: time().notNull(),
  },
  table => [
    index('passkey_challenges_account_index').on(table.account_id),
    index('passkey_challenges_expiry_index').on(table.expires_at),
  ],
)

/** Sign-ins whose password was right and whose second factor is missing, by the SHA-256 hash of their ticket. */
export const loginTickets = pgTable(
  'login_tickets',
  { hash: text().primaryKey(), account_id: accountReference(), expires_at: time().notNull() },
  table => [
    index('login_tickets_account_index').on(table.account_id),
    index('login_tickets_expiry_index').on(table.expires_at),
  ],
)

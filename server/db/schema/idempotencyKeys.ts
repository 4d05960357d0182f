/**
 * Idempotency keys of calls. The first call with a key inserts its row before anything is done, and stores its response
 * in it. A row with neither a response nor a valid lease belongs to a call that was interrupted.
 */
import { index, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Hash of account and key. */
    id: text().primaryKey(),
    /** Hash of the call, keyed with the idempotency key: a call may contain a password. */
    fingerprint: text().notNull(),
    created_at: time().notNull(),
    /** Until when the first call counts as running; it is renewed while it runs. */
    lease_until: time(),
    /** HTTP status of the response; null until there is one. */
    status: smallint(),
    /** Body of the response, encrypted with a key derived from the idempotency key: it may contain secrets. */
    response: text(),
  },
  table => [index('idempotency_keys_age').on(table.created_at)],
)

/**
 * The audit log (migration 0006). Triggers reject every change but the outcome of a call that has begun and counts that go
 * up, and append a link to the chain for each entry and each outcome.
 */
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { outcomes } from '../../../src/domain/columns/audit.ts'
import { accountRoles } from '../../../src/domain/roles.ts'
import { time } from './columns.ts'

export const audit = pgTable(
  'audit',
  {
    /** Sequential, which orders entries of the same millisecond. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** When the call began; of counted calls, the first one. */
    at: time().notNull(),
    /** No foreign key: entries outlive the account and keep its login and role. */
    account_id: text(),
    login: text(),
    role: text({ enum: accountRoles }),
    /** Method and path of the endpoint: `DELETE /api/v3/vendors`. */
    action: text().notNull(),
    /** The ids that the call named; of counted calls, the accounts that they were about. */
    ids: text().array().notNull(),
    /** The request's values without ids and secrets. */
    values: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    address: text().notNull(),
    outcome: text({ enum: outcomes }).notNull(),
    /** HTTP status; 0 before the outcome. */
    status: smallint().notNull(),
    /** Numbers of successful and failed items of a bulk call. */
    done: integer(),
    failed: integer(),
    /** The error message, or the reasons of failed items. */
    message: text().notNull(),
    /** Ids of rows that the call created. Earlier versions added them to `ids`. */
    created_ids: text().array(),
    /** When the outcome was recorded; of counted calls, the last one. Null before the outcome, and in earlier versions. */
    ended_at: time(),
    /** The number of calls without a session that the entry stands for; null for an entry of one call. */
    count: integer(),
    /** The hour of the calls that are still added to `count`; null once it is closed and has its link. */
    counting: time(),
  },
  table => [
    index('audit_by_at').on(table.at, table.id),
    uniqueIndex('audit_counting')
      .on(table.counting, table.action, table.address, table.outcome)
      .where(sql`counting is not null`),
    index('audit_started')
      .on(table.at)
      .where(sql`outcome = 'started'`),
  ],
)

/** What a link covers: a whole entry, one whose call has begun, its outcome, or that it will have none. */
export const linkKinds = ['entry', 'call', 'outcome', 'interrupted'] as const

/** The chain: each link has a hash of what it covers and of the link before it. Append-only. */
export const auditLinks = pgTable(
  'audit_links',
  {
    /** From 1, without gaps. */
    position: bigint({ mode: 'number' }).primaryKey(),
    /** The id of the entry; no foreign key, so that a removed entry is noticed. */
    entry: bigint({ mode: 'number' }).notNull(),
    kind: text({ enum: linkKinds }).notNull(),
    /** SHA-256, hexadecimal. */
    hash: text().notNull(),
  },
  table => [index('audit_links_by_entry').on(table.entry)],
)

/** One row: the last link. Its lock puts the links of several servers in one order. */
export const auditChain = pgTable('audit_chain', {
  id: smallint().primaryKey(),
  position: bigint({ mode: 'number' }).notNull(),
  hash: text().notNull(),
})

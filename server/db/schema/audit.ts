/** The audit log. Append-only: a trigger rejects updates and deletes. */
import { bigint, index, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { outcomes } from '../../../src/domain/columns/audit.ts'
import { accountRoles } from '../../../src/domain/roles.ts'
import { time } from './columns.ts'

export const audit = pgTable(
  'audit',
  {
    /** Sequential, which orders entries of the same millisecond. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: time().notNull(),
    /** No foreign key: entries outlive the account and keep its login and role. */
    account_id: text(),
    login: text(),
    role: text({ enum: accountRoles }),
    /** Method and path of the endpoint: `DELETE /api/v3/vendors`. */
    action: text().notNull(),
    ids: text().array().notNull(),
    /** The request's values without ids and secrets. */
    values: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    address: text().notNull(),
    outcome: text({ enum: outcomes }).notNull(),
    /** HTTP status. */
    status: smallint().notNull(),
    /** Numbers of successful and failed items of a bulk call. */
    done: integer(),
    failed: integer(),
    /** The error message, or the reasons of failed items. */
    message: text().notNull(),
  },
  table => [index('audit_by_at').on(table.at, table.id)],
)

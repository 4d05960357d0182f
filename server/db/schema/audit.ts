/** Who changed what. Append-only: a trigger of the database refuses to change or remove a row. */
import { bigint, index, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { outcomes } from '../../../src/domain/columns/audit.ts'
import { accountRoles } from '../../../src/domain/roles.ts'
import { time } from './columns.ts'

export const audit = pgTable(
  'audit',
  {
    /** Counts up, so that what happened in one millisecond keeps its order. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: time().notNull(),
    /** No reference: the record outlives the account, and keeps its login and role as they were. */
    account_id: text(),
    login: text(),
    role: text({ enum: accountRoles }),
    /** Method and path of the endpoint: `DELETE /api/v3/vendors`. */
    action: text().notNull(),
    ids: text().array().notNull(),
    /** What was sent besides the ids, without secrets. */
    values: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    address: text().notNull(),
    outcome: text({ enum: outcomes }).notNull(),
    /** HTTP. */
    status: smallint().notNull(),
    /** Of a call on many: how many were done and how many failed. */
    done: integer(),
    failed: integer(),
    /** Why it was refused, or why some failed. */
    message: text().notNull(),
  },
  table => [index('audit_by_at').on(table.at, table.id)],
)

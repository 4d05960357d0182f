import { sql, type SQLWrapper } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accountRoles } from '../../../src/domain/roles.ts'
import { time, timestamps } from './columns.ts'

/** Returns the expression by which logins are compared: case-insensitive and independent of the server's locale. */
export const caseless = (login: SQLWrapper | string) => sql`lower(${login} collate "pg_c_utf8")`

/** Accounts of all four roles. Only vendors have company fields; an end user's login is an email address. */
export const accounts = pgTable(
  'accounts',
  {
    id: text().primaryKey(),
    role: text({ enum: accountRoles }).notNull(),
    login: text().notNull(),
    password_hash: text().notNull(),
    first_name: text().notNull().default(''),
    last_name: text().notNull().default(''),
    blocked: boolean().notNull().default(false),
    email_confirmed: boolean().notNull().default(false),
    company_name: text().notNull().default(''),
    company_address: text().notNull().default(''),
    description: text().notNull().default(''),
    /** Notifications up to this time have been seen; null if none were. */
    notifications_seen_at: time(),
    ...timestamps(),
  },
  table => [
    uniqueIndex('accounts_login_key').on(caseless(table.login)),
    index('accounts_role_index').on(table.role),
    check('accounts_role_check', sql`${table.role} in ('superadmin', 'admin', 'vendor', 'user')`),
  ],
)

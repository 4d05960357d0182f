import { sql, type SQLWrapper } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accountRoles } from '../../../src/domain/roles.ts'
import { time, timestamps } from './columns.ts'

/** A login as it is compared: without case, alike whatever the server's locale. */
export const caseless = (login: SQLWrapper | string) => sql`lower(${login} collate "pg_c_utf8")`

/** Everyone who has an account, in all four roles. The company fields are a vendor's; an end user's login is an email. */
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
    /** Notifications made until then have been seen; null where none ever were. */
    notifications_seen_at: time(),
    ...timestamps(),
  },
  table => [
    uniqueIndex('accounts_login_key').on(caseless(table.login)),
    index('accounts_role_index').on(table.role),
    check('accounts_role_check', sql`${table.role} in ('superadmin', 'admin', 'vendor', 'user')`),
  ],
)

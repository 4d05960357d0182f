import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { accountRoles } from '../../../src/domain/roles.ts'

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
    created_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    updated_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  table => [
    uniqueIndex('accounts_login_key').on(sql`lower(${table.login})`),
    index('accounts_role_index').on(table.role),
    check('accounts_role_check', sql`${table.role} in ('superadmin', 'admin', 'vendor', 'user')`),
  ],
)

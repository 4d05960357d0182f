/**
 * Mails that are to be sent. A row has neither text nor token: both are made when the mail is sent, after which the row
 * is deleted.
 */
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'
import { mailPurposes } from './mailTokens.ts'

export const queuedMails = pgTable(
  'queued_mails',
  {
    id: text().primaryKey(),
    kind: text({ enum: mailPurposes }).notNull(),
    /**
     * The recipient; null if nobody gets this mail, because a mail was requested for an unknown login. No foreign key: its
     * check would take time for known logins only.
     */
    account_id: text(),
    queued_at: time().notNull(),
    /** When the next attempt is due. During an attempt, when its lease ends. */
    due_at: time().notNull(),
    attempts: integer().notNull().default(0),
    /** The error of the last attempt. */
    error: text(),
    /** When the last attempt had failed; null while there are more. */
    gave_up_at: time(),
  },
  table => [
    index('queued_mails_due')
      .on(table.due_at)
      .where(sql`${table.gave_up_at} is null`),
    index('queued_mails_account').on(table.account_id),
    index('queued_mails_given_up')
      .on(table.gave_up_at)
      .where(sql`${table.gave_up_at} is not null`),
  ],
)

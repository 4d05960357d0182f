/** Conditions of devices that hold now, and the notifications made when they began. */
import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { NotificationType } from '../../../src/api/contract/notifications.ts'
import { bytewise, time } from './columns.ts'
import { devices } from './devices.ts'

const ofDevice = () =>
  bytewise()
    .notNull()
    .references(() => devices.bssid, { onDelete: 'cascade' })

/** One row as long as the condition holds: it cannot begin again before it has ended. */
export const deviceAlarms = pgTable(
  'device_alarms',
  {
    bssid: ofDevice(),
    type: text().$type<NotificationType>().notNull(),
    /** Which of its kind: a cartridge's position, a firmware's version; empty where there is one. */
    subject: bytewise().notNull().default(''),
    since: time().notNull(),
  },
  table => [primaryKey({ columns: [table.bssid, table.type, table.subject] })],
)

export const notifications = pgTable(
  'notifications',
  {
    id: bytewise().primaryKey(),
    bssid: ofDevice(),
    type: text().$type<NotificationType>().notNull(),
    created_at: time().notNull(),
    /** What its text needs: a cartridge's model, a firmware version, a measured value. */
    values: jsonb().$type<Readonly<Record<string, string | number>>>().notNull().default({}),
  },
  table => [
    index('notifications_newest').on(table.created_at.desc(), table.id.desc()),
    index('notifications_of_device').on(table.bssid, table.created_at.desc()),
  ],
)

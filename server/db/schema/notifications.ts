/** Conditions of devices that hold now, and the notifications made when they began. */
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
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
    /** Which of its kind: a cartridge's position, a firmware's version, who says so of a fault; or empty. */
    subject: bytewise().notNull().default(''),
    since: time().notNull(),
  },
  table => [primaryKey({ columns: [table.bssid, table.type, table.subject] })],
)

/** Values by what they are: a cartridge's model, a firmware version, a measured value in its base unit. */
export type NotificationValues = Readonly<Record<string, string | number>>

/** Each index reads the newest of what it is about from its end. */
export const notifications = pgTable(
  'notifications',
  {
    id: bytewise().primaryKey(),
    bssid: ofDevice(),
    /** The device's, so that a vendor's are found without looking at every device; a trigger keeps it. */
    vendor_id: bytewise().notNull(),
    type: bytewise().$type<NotificationType>().notNull(),
    created_at: time().notNull(),
    values: jsonb().$type<NotificationValues>().notNull().default({}),
  },
  table => [
    index('notifications_newest').on(table.created_at, table.id),
    index('notifications_of_type').on(table.type, table.created_at, table.id),
    index('notifications_of_vendor').on(table.vendor_id, table.created_at, table.id),
    index('notifications_of_vendor_and_type').on(table.vendor_id, table.type, table.created_at, table.id),
    index('notifications_of_device').on(table.bssid, table.created_at, table.id),
  ],
)

/** How many there are, so that they need not be counted; kept like `device_counts`. */
export const notificationCounts = pgTable(
  'notification_counts',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    vendor_id: bytewise().notNull(),
    type: bytewise().$type<NotificationType>().notNull(),
    /** Below zero where another of the group's rows makes up for it. */
    count: integer().notNull(),
  },
  table => [index('notification_counts_group').on(table.vendor_id, table.type)],
)

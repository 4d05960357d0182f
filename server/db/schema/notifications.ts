/** Active conditions of devices, and notifications. */
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import { bytewise, time } from './columns.ts'
import { devices } from './devices.ts'

/** Returns the column that refers to a device. */
const deviceReference = () =>
  bytewise()
    .notNull()
    .references(() => devices.bssid, { onDelete: 'cascade' })

/** Active conditions; a condition cannot begin again before it has ended. */
export const deviceAlarms = pgTable(
  'device_alarms',
  {
    bssid: deviceReference(),
    type: text().$type<NotificationType>().notNull(),
    /** Subject of the condition: a cartridge's position, a firmware version, the source of a fault, or empty. */
    subject: bytewise().notNull().default(''),
    since: time().notNull(),
  },
  table => [primaryKey({ columns: [table.bssid, table.type, table.subject] })],
)

/** Values for the text, by name: for example a cartridge model, a firmware version, or a reading in its base unit. */
export type NotificationValues = Readonly<Record<string, string | number>>

/** Notifications. Each index ends with the time, so that the newest rows of a group are at its end. */
export const notifications = pgTable(
  'notifications',
  {
    id: bytewise().primaryKey(),
    bssid: deviceReference(),
    /** Copy of the device's vendor, so that a vendor's notifications are found by index; maintained by a trigger. */
    vendor_id: bytewise().notNull(),
    type: bytewise().$type<NotificationType>().notNull(),
    created_at: time().notNull(),
    values: jsonb().$type<NotificationValues>().notNull().default({}),
    /** How many of this device and type followed within a day and have no row of their own. */
    repeats: integer().notNull().default(0),
  },
  table => [
    index('notifications_newest').on(table.created_at, table.id),
    index('notifications_of_type').on(table.type, table.created_at, table.id),
    index('notifications_of_vendor').on(table.vendor_id, table.created_at, table.id),
    index('notifications_of_vendor_and_type').on(table.vendor_id, table.type, table.created_at, table.id),
    index('notifications_of_device').on(table.bssid, table.created_at, table.id),
  ],
)

/** Counts of notifications by vendor and type; maintained like `device_counts`. */
export const notificationCounts = pgTable(
  'notification_counts',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    vendor_id: bytewise().notNull(),
    type: bytewise().$type<NotificationType>().notNull(),
    /** May be negative: only the sum over the rows of a group is its count. */
    count: integer().notNull(),
  },
  table => [index('notification_counts_group').on(table.vendor_id, table.type)],
)

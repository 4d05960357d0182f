/** Active conditions of devices, notifications, and incidents. */
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import { bytewise, time } from './columns.ts'
import { deviceReference, devices } from './devices.ts'

/**
 * When the conditions of a device that depend on time are evaluated next (`server/devices/alarms/ageingChecks.ts`). Triggers
 * (migration 0035) add it with the device, and make it due when something changes that decides them.
 */
export const ageingChecks = pgTable(
  'ageing_checks',
  {
    bssid: bytewise()
      .primaryKey()
      .references(() => devices.bssid, { onDelete: 'cascade' }),
    due_at: time().notNull(),
  },
  table => [index('ageing_checks_due').on(table.due_at)],
)

/** Active conditions; a condition cannot begin again before it has ended. */
export const deviceAlarms = pgTable(
  'device_alarms',
  {
    bssid: deviceReference(),
    type: text().$type<NotificationType>().notNull(),
    /** Subject of the condition: a cartridge's position, a firmware version, the source of a fault, or empty. */
    subject: bytewise().notNull().default(''),
    since: time().notNull(),
    /** The incident of its notification. */
    incident_id: bytewise(),
  },
  table => [
    primaryKey({ columns: [table.bssid, table.type, table.subject] }),
    index('device_alarms_of_incident')
      .on(table.incident_id)
      .where(sql`${table.incident_id} is not null`),
  ],
)

/** Values for the text, by name: for example a cartridge model, a firmware version, or a reading in its base unit. */
export type NotificationValues = Readonly<Record<string, string | number>>

/**
 * Notifications. Each index ends with the time, so that the newest rows of a group are at its end. Those of single
 * notifications find what is not in an incident, however many rows incidents have.
 */
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
    /** Its incident; null for a single notification. */
    incident_id: bytewise(),
  },
  table => [
    index('notifications_newest').on(table.created_at, table.id),
    index('notifications_of_type').on(table.type, table.created_at, table.id),
    index('notifications_of_vendor').on(table.vendor_id, table.created_at, table.id),
    index('notifications_of_vendor_and_type').on(table.vendor_id, table.type, table.created_at, table.id),
    index('notifications_of_device').on(table.bssid, table.created_at, table.id),
    index('notifications_of_incident')
      .on(table.incident_id, table.created_at, table.id)
      .where(sql`${table.incident_id} is not null`),
    ...[
      index('notifications_single_newest').on(table.created_at, table.id),
      index('notifications_single_of_type').on(table.type, table.created_at, table.id),
      index('notifications_single_of_vendor').on(table.vendor_id, table.created_at, table.id),
      index('notifications_single_of_vendor_and_type').on(table.vendor_id, table.type, table.created_at, table.id),
    ].map(each => each.where(sql`${table.incident_id} is null`)),
  ],
)

/**
 * Notifications of one type that several devices of a vendor gave at almost the same time. The counts are maintained by
 * triggers (migration 0020): of its notifications, of their devices, and of those conditions that last.
 */
export const incidents = pgTable(
  'incidents',
  {
    id: bytewise().primaryKey(),
    vendor_id: bytewise().notNull(),
    type: bytewise().$type<NotificationType>().notNull(),
    /** The supply of all its devices; null if they are not on one. */
    water_supply: text(),
    /** The times of its first and its last notification. */
    began_at: time().notNull(),
    last_at: time().notNull(),
    /** When the last of its conditions ended; null while one lasts. */
    ended_at: time(),
    notifications: integer().notNull().default(0),
    devices: integer().notNull().default(0),
    open: integer().notNull().default(0),
    /** The first of the incidents of several vendors that are one line for administrators; a trigger passes its place on. */
    storm_id: bytewise(),
  },
  table => [
    index('incidents_of_storm')
      .on(table.storm_id)
      .where(sql`${table.storm_id} is not null`),
    index('incidents_newest').on(table.began_at, table.id),
    index('incidents_of_vendor').on(table.vendor_id, table.began_at, table.id),
    index('incidents_last').on(table.last_at),
    index('incidents_recent').on(table.vendor_id, table.type, table.last_at),
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

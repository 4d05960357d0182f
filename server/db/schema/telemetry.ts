/**
 * What devices measure. Raw readings stand in a table that is partitioned by day of their time (migration 0004), so
 * that old ones go by dropping a partition; rollups of them are what charts read.
 */
import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { StatusCode } from '../../../src/domain/device.ts'
import { bytewise, time } from './columns.ts'
import { devices } from './devices.ts'

/**
 * The newest that is known of a device, kept up with every message. It stands apart from `devices` because nothing is
 * sorted by it: a change touches this row and no index. `devices` follows a little later, for those not `synced`.
 * A trigger makes the row with its device.
 */
export const deviceTwins = pgTable(
  'device_twins',
  {
    bssid: bytewise()
      .primaryKey()
      .references(() => devices.bssid, { onDelete: 'cascade' }),
    /** The status that the device reported last; what `devices` shows besides is Offline. */
    reported_status: smallint().$type<StatusCode>(),
    /** Seconds between two readings. */
    report_interval: integer().notNull().default(30),
    /** When any message came last. */
    heard_at: time(),
    /** Since when it counts as offline: told by the broker, or fallen silent. Heard later than this, it is back. */
    offline_at: time(),
    /** The time of the newest state that was applied: an older one that comes later changes nothing. */
    state_at: time(),
    /** The time of the newest reading; the values below are its. */
    reading_at: time(),
    /** Lifetime litres. */
    feed: doublePrecision().notNull().default(0),
    permeate: doublePrecision().notNull().default(0),
    waste: doublePrecision().notNull().default(0),
    /** %, %, °C, bar, ppm, ppm. */
    rejection_rate: doublePrecision(),
    recovery_rate: doublePrecision(),
    temperature: doublePrecision(),
    pressure: doublePrecision(),
    feed_tds: doublePrecision(),
    permeate_tds: doublePrecision(),
    synced: boolean().notNull().default(true),
  },
  table => [
    // Those that are to be brought over, and nothing else.
    index('device_twins_unsynced')
      .on(table.bssid)
      .where(sql`not ${table.synced}`),
  ],
)

/** No reference to `devices`: checking it with every row costs as much as the row. */
export const readings = pgTable(
  'readings',
  {
    bssid: bytewise().notNull(),
    at: time().notNull(),
    /** Litres since the reading before. */
    feed: real().notNull(),
    permeate: real().notNull(),
    /** l/min at the moment. */
    feed_flow: real(),
    permeate_flow: real(),
    feed_tds: real(),
    permeate_tds: real(),
    pressure: real(),
    temperature: real(),
  },
  table => [primaryKey({ columns: [table.bssid, table.at] })],
)

/** Sums over the readings of a bucket, and how many gave a value: means follow, and buckets add up to larger ones. */
const sums = () => ({
  readings: integer().notNull().default(0),
  /** Litres. */
  feed: doublePrecision().notNull().default(0),
  permeate: doublePrecision().notNull().default(0),
  /** l/min, over the readings while permeate flowed. */
  production_sum: doublePrecision().notNull().default(0),
  production_count: integer().notNull().default(0),
  feed_tds_sum: doublePrecision().notNull().default(0),
  feed_tds_count: integer().notNull().default(0),
  permeate_tds_sum: doublePrecision().notNull().default(0),
  permeate_tds_count: integer().notNull().default(0),
  pressure_sum: doublePrecision().notNull().default(0),
  pressure_count: integer().notNull().default(0),
  temperature_sum: doublePrecision().notNull().default(0),
  temperature_count: integer().notNull().default(0),
  /** The newest reading while permeate flowed: its time and its flows, l/min. */
  flow_at: time(),
  last_feed_flow: doublePrecision(),
  last_permeate_flow: doublePrecision(),
})

// Nor have the rollups one. What a device leaves behind goes in slices, see `forgottenDevices`.
export const readingTenMinutes = pgTable(
  'reading_ten_minutes',
  { bssid: bytewise().notNull(), at: time().notNull(), ...sums() },
  table => [primaryKey({ columns: [table.bssid, table.at] })],
)

export const readingHours = pgTable(
  'reading_hours',
  { bssid: bytewise().notNull(), at: time().notNull(), ...sums() },
  table => [primaryKey({ columns: [table.bssid, table.at] })],
)

/**
 * Days begin and end with a zone's: each zone that charts are asked in has its own, made of the finer rollups once the
 * day has ended, and made again when a late reading touches it. Rows of zone '' are history: UTC days whose readings
 * stand in no finer rollup. They cannot be made again, so nothing removes them; the days of zones add them in.
 */
export const readingDays = pgTable(
  'reading_days',
  { bssid: bytewise().notNull(), zone: text().notNull(), at: time().notNull(), ...sums() },
  table => [primaryKey({ columns: [table.bssid, table.zone, table.at] })],
)

/** Devices that were deleted and whose readings and rollups are still there. A trigger keeps it. */
export const forgottenDevices = pgTable('forgotten_devices', { bssid: bytewise().primaryKey() })

/** What is done now and then by one of the server's processes: whoever moves `due_at` on does it. */
export const upkeepTasks = pgTable('upkeep_tasks', { task: text().primaryKey(), due_at: time().notNull() })

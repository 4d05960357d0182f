/**
 * Telemetry. Raw readings and rollups are partitioned by time (migrations 0004 and 0040), so that old ones are removed by
 * dropping a partition. Charts read rollups.
 */
import { bigint, doublePrecision, index, integer, pgTable, primaryKey, real, smallint, text } from 'drizzle-orm/pg-core'
import type { StatusCode } from '../../../src/domain/device.ts'
import { bytewise, newestValues, time } from './columns.ts'
import { devices } from './devices.ts'

/**
 * Device twins: the latest known state of each device, updated with every message. Separate from `device_values`, whose
 * indexes make updates expensive; values are copied there a moment later. No index names a column that messages change, so
 * that an update writes no index. A trigger creates the row with its device.
 */
export const deviceTwins = pgTable('device_twins', {
  bssid: bytewise()
    .primaryKey()
    .references(() => devices.bssid, { onDelete: 'cascade' }),
  /** The last reported status; `device_values.status` may show Offline instead. */
  reported_status: smallint().$type<StatusCode>(),
  /** Seconds between two readings. */
  report_interval: integer().notNull().default(30),
  /** When the last message arrived. */
  heard_at: time(),
  /** When it went offline, by its last will or by silence. A later `heard_at` means that it is back online. */
  offline_at: time(),
  /** Timestamp of the newest applied state; older states that arrive later are ignored. */
  state_at: time(),
  /** Timestamp of the newest reading, to which the values below belong. */
  reading_at: time(),
  /** No stored reading is newer, also none in the future; null if there is none. */
  last_reading_at: time(),
  /** The readings before this are in the sums of ten minutes and hours. Of telemetry in PostgreSQL. */
  summed_until: time(),
  ...newestValues(),
})

/**
 * When devices are checked for silence: all that have not gone offline. Triggers on `device_twins` (migration 0034) add a
 * check that is due at once for a device that is new or back, or reports more often than before; the check moves itself to
 * when the device would be silent.
 */
export const silenceChecks = pgTable(
  'silence_checks',
  {
    bssid: bytewise()
      .primaryKey()
      .references(() => deviceTwins.bssid, { onDelete: 'cascade' }),
    due_at: time().notNull(),
  },
  table => [index('silence_checks_due').on(table.due_at)],
)

/** Raw readings. No foreign key to `devices`: its check would double the cost of an insert. */
export const readings = pgTable(
  'readings',
  {
    bssid: bytewise().notNull(),
    at: time().notNull(),
    /** Litres since the previous reading. */
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

/**
 * Batches of stored readings by whose values no alarm was evaluated yet: one row each, stored with the readings and
 * deleted with the transitions that follow from them. Without readings of deleted devices there is nothing to evaluate,
 * so there is no foreign key.
 */
export const unevaluatedReadings = pgTable(
  'unevaluated_readings',
  {
    id: text().primaryKey(),
    stored_at: time().notNull(),
    /** The keys of the readings, in the order of their evaluation. */
    bssids: text().array().notNull(),
    ats: time().array().notNull(),
  },
  table => [index('unevaluated_readings_age').on(table.stored_at)],
)

/** Columns of a rollup: sums and counts over a bucket, from which means and larger buckets can be computed. */
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

// Rollups have no foreign key either. Rows of deleted devices are removed in batches, see `forgottenDevices`.
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
 * Daily rollups by time zone. They are computed from finer rollups when a chart first needs them after the day has
 * ended, and recomputed after a late reading. Rows of zone '' are imported history: UTC days without finer rollups,
 * which cannot be recomputed, so they are never removed; days of other zones include them.
 */
export const readingDays = pgTable(
  'reading_days',
  { bssid: bytewise().notNull(), zone: text().notNull(), at: time().notNull(), ...sums() },
  table => [primaryKey({ columns: [table.bssid, table.zone, table.at] })],
)

/** Deleted devices whose readings and rollups have not been removed yet; filled by a trigger. */
export const forgottenDevices = pgTable('forgotten_devices', { bssid: bytewise().primaryKey() })

/**
 * Periodic tasks that only one process runs: the process that advances `due_at` runs the task. Also the times that gateways note
 * (listening.ts).
 */
export const upkeepTasks = pgTable('upkeep_tasks', { task: text().primaryKey(), due_at: time().notNull() })

/** Where readings and their sums are kept. One row, with id 1. */
export const telemetryState = pgTable('telemetry_state', {
  id: smallint().primaryKey().default(1),
  place: text().$type<'postgres' | 'clickhouse'>().notNull().default('postgres'),
  /** For telemetry in ClickHouse: a server that stores a reading before this time sums its hour again. */
  summing_until: time(),
  /** The readings before this have been summed. */
  summed_until: time(),
})

/** Batches of readings in ClickHouse that PostgreSQL has counted. Readings of other batches do not count. */
export const telemetryBatches = pgTable(
  'telemetry_batches',
  { id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(), stored_at: time().notNull() },
  table => [index('telemetry_batches_age').on(table.stored_at)],
)

/**
 * The fleet. Every sortable column has an index with the id (the last sort key) and the owner (the scope), so that a
 * page of ids is an index-only scan. What devices say all the time is in `device_values`.
 */
import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import type { Assessment, Cause } from '../../../src/domain/health/types/assessment.ts'
import { accounts } from './accounts.ts'
import { bytewise, flushColumns, optionalSortKey, sortKey, time, timestamps } from './columns.ts'
import { cartridgeTypes, filtrationSystems } from './filtration.ts'
import { deviceModels } from './models.ts'

export const devices = pgTable(
  'devices',
  {
    bssid: bytewise().primaryKey(),
    platform: text().notNull(),
    platform_key: sortKey('platform'),
    model_id: bytewise()
      .notNull()
      .references(() => deviceModels.id, { onDelete: 'restrict' }),
    filtration_system_id: bytewise().references(() => filtrationSystems.id, {
      onDelete: 'restrict',
    }),
    vendor_id: bytewise()
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    locked: boolean().notNull().default(false),
    valve_closed: boolean().notNull().default(false),
    ...flushColumns(),
    /** Minutes. */
    idle_protection: smallint().notNull().default(0),
    bypass_smart: smallint().$type<0 | 1 | 2>().notNull().default(0),
    bypass_state: smallint().$type<0 | 1 | 2 | 3>().notNull().default(0),
    uv: smallint().$type<0 | 1>().notNull().default(0),
    firmware: text().notNull().default(''),
    firmware_key: sortKey('firmware'),
    description: text().notNull().default(''),
    description_key: sortKey('description'),
    power_mode: smallint().$type<0 | 1 | 2>().notNull().default(0),
    /** %; null without batteries. */
    battery_level: doublePrecision(),
    /** IANA time zone of the device's location; null if it is unknown. */
    time_zone: text(),
    time_zone_key: optionalSortKey('time_zone'),
    /** The label of the water that feeds it, which its neighbours share; null if it is unknown. */
    water_supply: text(),
    water_supply_key: optionalSortKey('water_supply'),
    /** Earliest replacement date of its cartridges, derived from `device_cartridges`. */
    next_replacement_at: time(),
    /** What the daily step has found: 0 to 100, null while it learns; and the cause that is most likely. */
    health_score: smallint(),
    health_state: text().$type<Assessment['state']>().notNull().default('learning'),
    health_cause: text().$type<Cause>(),
    /** By how many points the score has moved in a month; null if it has moved by few (`scoreChange`). */
    health_change: smallint(),
    /** When the first of its cartridges is due, as forecast. */
    due_at: time(),
    ...timestamps(),
  },
  table => {
    const sorted = {
      platform: table.platform_key,
      model: table.model_id,
      filtration_system: table.filtration_system_id,
      locked: table.locked,
      valve_closed: table.valve_closed,
      flush_smart: table.flush_smart,
      flush_mode: table.flush_mode,
      flush_frequency: table.flush_frequency,
      flush_duration: table.flush_duration,
      flush_volume: table.flush_volume,
      idle_protection: table.idle_protection,
      bypass_smart: table.bypass_smart,
      bypass_state: table.bypass_state,
      uv: table.uv,
      firmware: table.firmware_key,
      description: table.description_key,
      power_mode: table.power_mode,
      battery_level: table.battery_level,
      time_zone: table.time_zone_key,
      water_supply: table.water_supply_key,
      next_replacement: table.next_replacement_at,
      health_score: table.health_score,
      health_state: table.health_state,
      health_cause: table.health_cause,
      due_at: table.due_at,
      created_at: table.created_at,
      updated_at: table.updated_at,
    }
    return [
      ...Object.entries(sorted).map(([name, column]) =>
        index(`devices_by_${name}`).on(column, table.bssid, table.vendor_id),
      ),
      index('devices_by_health_change')
        .on(table.health_change, table.bssid, table.vendor_id)
        .where(sql`${table.health_change} is not null`),
      index('devices_by_vendor').on(table.vendor_id, table.bssid),
      index('devices_bssid_search').using('gin', table.bssid.op('gin_trgm_ops')),
      index('devices_description_search').using('gin', table.description_key.op('gin_trgm_ops')),
      index('devices_water_supply_search').using('gin', table.water_supply_key.op('gin_trgm_ops')),
    ]
  },
)

/** Returns a column that refers to a device, and whose row is deleted with it. */
export const deviceReference = () =>
  bytewise()
    .notNull()
    .references(() => devices.bssid, { onDelete: 'cascade' })

/**
 * Counts of devices by vendor, model and filtration system, so that lists need not count rows. Maintained by triggers
 * (migration 0002). A group's count is the sum of its rows: a writer updates a row that is not locked or adds one, so
 * that writers never wait for each other.
 */
export const deviceCounts = pgTable(
  'device_counts',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    vendor_id: bytewise().notNull(),
    model_id: bytewise().notNull(),
    filtration_system_id: bytewise(),
    /** May be negative; only the sum of the group counts. */
    count: integer().notNull(),
  },
  table => [index('device_counts_group').on(table.vendor_id, table.model_id, table.filtration_system_id)],
)

export const deviceCartridges = pgTable(
  'device_cartridges',
  {
    bssid: deviceReference(),
    position: smallint().notNull(),
    cartridge_type_id: bytewise()
      .notNull()
      .references(() => cartridgeTypes.id, { onDelete: 'restrict' }),
    installed_at: time().notNull(),
    /**
     * The device's lifetime litres at installation: feed for a pre-filter, permeate for a membrane or a post-filter.
     * The volume filtered since is the difference.
     */
    volume_before: doublePrecision().notNull().default(0),
  },
  table => [
    primaryKey({ columns: [table.bssid, table.position] }),
    index('device_cartridges_type').on(table.cartridge_type_id, table.bssid),
  ],
)

/** Share codes: one per device, stored as a hash. */
export const shareCodes = pgTable('share_codes', {
  bssid: bytewise()
    .primaryKey()
    .references(() => devices.bssid, { onDelete: 'cascade' }),
  code_hash: text().notNull().unique(),
  expires_at: time().notNull(),
})

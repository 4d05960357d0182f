/**
 * The fleet. Sorting by any column at any depth reads one index from one end: each holds the column, the key that
 * ends every order, and the owner that scopes it, so that a page of keys comes without touching the rows.
 */
import { boolean, doublePrecision, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import type { StatusCode } from '../../../src/domain/device.ts'
import { accounts } from './accounts.ts'
import { bytewise, flushColumns, sortKey, time, timestamps } from './columns.ts'
import { cartridgeTypes, filtrationSystems } from './filtration.ts'
import { deviceModels } from './models.ts'

export const devices = pgTable(
  'devices',
  {
    bssid: bytewise('bssid').primaryKey(),
    platform: text('platform').notNull(),
    platformKey: sortKey('platform_key', () => devices.platform),
    modelId: bytewise('model_id')
      .notNull()
      .references(() => deviceModels.id, { onDelete: 'restrict' }),
    filtrationSystemId: bytewise('filtration_system_id').references(() => filtrationSystems.id, {
      onDelete: 'restrict',
    }),
    vendorId: bytewise('vendor_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'restrict' }),
    status: smallint('status').$type<StatusCode>().notNull().default(3),
    locked: boolean('locked').notNull().default(false),
    valveClosed: boolean('valve_closed').notNull().default(false),
    /** Latest readings: %, %, °C, bar, ppm, ppm; null where a sensor gives none. */
    rejectionRate: doublePrecision('rejection_rate'),
    recoveryRate: doublePrecision('recovery_rate'),
    temperature: doublePrecision('temperature'),
    pressure: doublePrecision('pressure'),
    feedTds: doublePrecision('feed_tds'),
    permeateTds: doublePrecision('permeate_tds'),
    /** Lifetime litres. */
    feed: doublePrecision('feed').notNull().default(0),
    permeate: doublePrecision('permeate').notNull().default(0),
    waste: doublePrecision('waste').notNull().default(0),
    ...flushColumns(),
    /** Minutes. */
    idleProtection: smallint('idle_protection').notNull().default(0),
    bypassSmart: smallint('bypass_smart').$type<0 | 1 | 2>().notNull().default(0),
    bypassState: smallint('bypass_state').$type<0 | 1 | 2 | 3>().notNull().default(0),
    uv: smallint('uv').$type<0 | 1>().notNull().default(0),
    firmware: text('firmware').notNull().default(''),
    firmwareKey: sortKey('firmware_key', () => devices.firmware),
    lastActive: time('last_active'),
    description: text('description').notNull().default(''),
    descriptionKey: sortKey('description_key', () => devices.description),
    powerMode: smallint('power_mode').$type<0 | 1 | 2>().notNull().default(0),
    /** %; null without batteries. */
    batteryLevel: doublePrecision('battery_level'),
    /** The earliest of its cartridges' replacement dates; follows `device_cartridges`. */
    nextReplacementAt: time('next_replacement_at'),
    ...timestamps(),
  },
  table => {
    const sorted = {
      platform: table.platformKey,
      model: table.modelId,
      filtration_system: table.filtrationSystemId,
      status: table.status,
      locked: table.locked,
      valve_closed: table.valveClosed,
      rejection_rate: table.rejectionRate,
      recovery_rate: table.recoveryRate,
      temperature: table.temperature,
      pressure: table.pressure,
      feed_tds: table.feedTds,
      permeate_tds: table.permeateTds,
      feed: table.feed,
      permeate: table.permeate,
      waste: table.waste,
      flush_smart: table.flushSmart,
      flush_mode: table.flushMode,
      flush_frequency: table.flushFrequency,
      flush_duration: table.flushDuration,
      flush_volume: table.flushVolume,
      idle_protection: table.idleProtection,
      bypass_smart: table.bypassSmart,
      bypass_state: table.bypassState,
      uv: table.uv,
      firmware: table.firmwareKey,
      last_active: table.lastActive,
      description: table.descriptionKey,
      power_mode: table.powerMode,
      battery_level: table.batteryLevel,
      next_replacement: table.nextReplacementAt,
      created_at: table.createdAt,
      updated_at: table.updatedAt,
    }
    return [
      ...Object.entries(sorted).map(([name, column]) =>
        index(`devices_by_${name}`).on(column, table.bssid, table.vendorId),
      ),
      index('devices_by_vendor').on(table.vendorId, table.bssid),
      index('devices_bssid_search').using('gin', table.bssid.op('gin_trgm_ops')),
      index('devices_description_search').using('gin', table.descriptionKey.op('gin_trgm_ops')),
    ]
  },
)

export const deviceCartridges = pgTable(
  'device_cartridges',
  {
    bssid: bytewise('bssid')
      .notNull()
      .references(() => devices.bssid, { onDelete: 'cascade' }),
    position: smallint('position').notNull(),
    cartridgeTypeId: bytewise('cartridge_type_id')
      .notNull()
      .references(() => cartridgeTypes.id, { onDelete: 'restrict' }),
    installedAt: time('installed_at').notNull(),
    /** Litres filtered since then. */
    total: integer('total').notNull().default(0),
  },
  table => [
    primaryKey({ columns: [table.bssid, table.position] }),
    index('device_cartridges_type').on(table.cartridgeTypeId, table.bssid),
  ],
)

/** One live code a device; only its hash is kept. */
export const shareCodes = pgTable('share_codes', {
  bssid: bytewise('bssid')
    .primaryKey()
    .references(() => devices.bssid, { onDelete: 'cascade' }),
  codeHash: text('code_hash').notNull().unique(),
  expiresAt: time('expires_at').notNull(),
})

/** Device models, the vendors they are offered to, and firmware versions by platform. */
import { doublePrecision, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Capability } from '../../../src/domain/device.ts'
import { accounts } from './accounts.ts'
import { bytewise, sortKey, time, timestamps } from './columns.ts'

export const deviceModels = pgTable(
  'device_models',
  {
    id: bytewise().primaryKey(),
    platform: text().notNull(),
    name: text().notNull(),
    name_key: sortKey('name'),
    /** The vendor that created the model; null for administrators. */
    owner_id: bytewise().references(() => accounts.id, { onDelete: 'set null' }),
    capabilities: text().array().$type<Capability[]>().notNull(),
    /** l/min at each of the bypass valve's four positions. */
    bypass_flow_rates: doublePrecision().array().notNull(),
    ...timestamps(),
  },
  table => [index('device_models_owner').on(table.owner_id), index('device_models_name').on(table.name_key)],
)

export const deviceModelVendors = pgTable(
  'device_model_vendors',
  {
    model_id: bytewise()
      .notNull()
      .references(() => deviceModels.id, { onDelete: 'cascade' }),
    vendor_id: bytewise()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
  },
  table => [
    primaryKey({ columns: [table.model_id, table.vendor_id] }),
    index('device_model_vendors_vendor').on(table.vendor_id),
  ],
)

export const firmwareVersions = pgTable(
  'firmware_versions',
  {
    platform: text().notNull(),
    version: text().notNull(),
    released_at: time().notNull(),
  },
  table => [primaryKey({ columns: [table.platform, table.version] })],
)

/** Device models, whom they are offered to, and the firmware that their platforms take. */
import { doublePrecision, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Capability } from '../../../src/domain/device.ts'
import { accounts } from './accounts.ts'
import { bytewise, sortKey, time, timestamps } from './columns.ts'

export const deviceModels = pgTable(
  'device_models',
  {
    id: bytewise('id').primaryKey(),
    platform: text('platform').notNull(),
    name: text('name').notNull(),
    nameKey: sortKey('name_key', () => deviceModels.name),
    /** The vendor that made it; null for the administrators'. */
    ownerId: bytewise('owner_id').references(() => accounts.id, { onDelete: 'set null' }),
    capabilities: text('capabilities').array().$type<Capability[]>().notNull(),
    /** l/min at each of the bypass valve's four positions. */
    bypassFlowRates: doublePrecision('bypass_flow_rates').array().notNull(),
    ...timestamps(),
  },
  table => [index('device_models_owner').on(table.ownerId), index('device_models_name').on(table.nameKey)],
)

export const deviceModelVendors = pgTable(
  'device_model_vendors',
  {
    modelId: bytewise('model_id')
      .notNull()
      .references(() => deviceModels.id, { onDelete: 'cascade' }),
    vendorId: bytewise('vendor_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
  },
  table => [
    primaryKey({ columns: [table.modelId, table.vendorId] }),
    index('device_model_vendors_vendor').on(table.vendorId),
  ],
)

export const firmwareVersions = pgTable(
  'firmware_versions',
  {
    platform: text('platform').notNull(),
    version: text('version').notNull(),
    releasedAt: time('released_at').notNull(),
  },
  table => [primaryKey({ columns: [table.platform, table.version] })],
)

/** Cartridge types, filtration systems and groups of filtration systems. */
import { boolean, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { bytewise, flushColumns, sortKey, timestamps } from './columns.ts'

export const filtrationSystemGroups = pgTable('filtration_system_groups', {
  id: bytewise().primaryKey(),
  name: text().notNull(),
  name_key: sortKey('name').unique(),
  ...timestamps(),
})

export const cartridgeTypes = pgTable('cartridge_types', {
  id: bytewise().primaryKey(),
  model: text().notNull(),
  model_key: sortKey('model').unique(),
  /** 0 pre-filter, 1 post-filter, 2 membrane. */
  type: smallint().notNull(),
  /** Litres. */
  resource: integer().notNull(),
  /** Days. */
  ttl: integer().notNull(),
  name: text().notNull(),
  description: text().notNull().default(''),
  purchase_url: text().notNull().default(''),
  image_url: text().notNull().default(''),
  ...timestamps(),
})

export const filtrationSystems = pgTable(
  'filtration_systems',
  {
    id: bytewise().primaryKey(),
    model: text().notNull(),
    /** Model names are unique without case. */
    model_key: sortKey('model').unique(),
    group_id: bytewise().references(() => filtrationSystemGroups.id, { onDelete: 'set null' }),
    vendor_id: bytewise().references(() => accounts.id, { onDelete: 'set null' }),
    flushing: boolean().notNull().default(false),
    ...flushColumns(),
    ...timestamps(),
  },
  table => [
    index('filtration_systems_vendor').on(table.vendor_id),
    index('filtration_systems_group').on(table.group_id),
  ],
)

/** Cartridges of filtration systems; `position` follows the flow of water. */
export const filtrationSystemCartridges = pgTable(
  'filtration_system_cartridges',
  {
    filtration_system_id: bytewise()
      .notNull()
      .references(() => filtrationSystems.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    cartridge_type_id: bytewise()
      .notNull()
      .references(() => cartridgeTypes.id, { onDelete: 'restrict' }),
  },
  table => [
    primaryKey({ columns: [table.filtration_system_id, table.position] }),
    index('filtration_system_cartridges_type').on(table.cartridge_type_id),
  ],
)

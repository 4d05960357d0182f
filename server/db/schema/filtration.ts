/** Cartridge types, and the filtration systems and groups that they make up. */
import { boolean, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { bytewise, flushColumns, sortKey, timestamps } from './columns.ts'

export const filtrationSystemGroups = pgTable('filtration_system_groups', {
  id: bytewise('id').primaryKey(),
  name: text('name').notNull().unique(),
  nameKey: sortKey('name_key', () => filtrationSystemGroups.name),
  ...timestamps(),
})

export const cartridgeTypes = pgTable('cartridge_types', {
  id: bytewise('id').primaryKey(),
  model: text('model').notNull().unique(),
  modelKey: sortKey('model_key', () => cartridgeTypes.model),
  /** 0 pre-filter, 1 post-filter, 2 membrane. */
  type: smallint('type').notNull(),
  /** Litres. */
  resource: integer('resource').notNull(),
  /** Days. */
  ttl: integer('ttl').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  purchaseUrl: text('purchase_url').notNull().default(''),
  imageUrl: text('image_url').notNull().default(''),
  ...timestamps(),
})

export const filtrationSystems = pgTable(
  'filtration_systems',
  {
    id: bytewise('id').primaryKey(),
    model: text('model').notNull().unique(),
    modelKey: sortKey('model_key', () => filtrationSystems.model),
    groupId: bytewise('group_id').references(() => filtrationSystemGroups.id, { onDelete: 'set null' }),
    vendorId: bytewise('vendor_id').references(() => accounts.id, { onDelete: 'set null' }),
    flushing: boolean('flushing').notNull().default(false),
    ...flushColumns(),
    ...timestamps(),
  },
  table => [index('filtration_systems_vendor').on(table.vendorId), index('filtration_systems_group').on(table.groupId)],
)

/** A system's cartridges in the order in which water passes them. */
export const filtrationSystemCartridges = pgTable(
  'filtration_system_cartridges',
  {
    filtrationSystemId: bytewise('filtration_system_id')
      .notNull()
      .references(() => filtrationSystems.id, { onDelete: 'cascade' }),
    position: smallint('position').notNull(),
    cartridgeTypeId: bytewise('cartridge_type_id')
      .notNull()
      .references(() => cartridgeTypes.id, { onDelete: 'restrict' }),
  },
  table => [
    primaryKey({ columns: [table.filtrationSystemId, table.position] }),
    index('filtration_system_cartridges_type').on(table.cartridgeTypeId),
  ],
)

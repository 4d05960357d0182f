/** What the devices of a water supply have in common, and the analyses of its water. */
import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { Neighbours, SharedChange } from '../../../src/domain/health/types/supply.ts'
import { accounts } from './accounts.ts'
import { bytewise, sortKey, time } from './columns.ts'

/** Medians of the residuals of a supply's devices by local day, in which a change of the water or the pressure shows. */
export const supplyDays = pgTable(
  'supply_days',
  {
    supply_key: bytewise().notNull(),
    day: integer().notNull(),
    medians: jsonb().$type<ByChannel<Neighbours>>().notNull(),
  },
  table => [primaryKey({ columns: [table.supply_key, table.day] })],
)

/** Changes of feed water or feed pressure that the devices of a supply share. */
export const supplyChanges = pgTable(
  'supply_incidents',
  {
    supply_key: bytewise().notNull(),
    cause: text().$type<SharedChange['cause']>().notNull(),
    began_at: time().notNull(),
    vendor_id: bytewise().notNull(),
    /** Null for devices without a label, which have the same zone and a similar feed TDS. */
    water_supply: text(),
    /** The change, as ln, and the devices in whose median it was found. */
    value: real().notNull(),
    devices: integer().notNull(),
    ended_at: time(),
    /** When it became a notification. */
    told_at: time().notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.supply_key, table.cause, table.began_at] }),
    index('supply_incidents_of_vendor').on(table.vendor_id, table.began_at),
    index('supply_incidents_told').on(table.told_at),
  ],
)

/** The analyses of supplies' water, as people have entered them. A supply is a label, in any case, of one vendor. */
export const supplyWaters = pgTable(
  'supply_waters',
  {
    vendor_id: bytewise()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    water_supply: text().notNull(),
    water_supply_key: sortKey('water_supply'),
    /** mg/l as CaCO₃. */
    calcium_hardness: doublePrecision().notNull(),
    alkalinity: doublePrecision().notNull(),
    ph: doublePrecision().notNull(),
    /** Who entered it last. */
    login: text().notNull(),
    updated_at: time().notNull(),
  },
  table => [primaryKey({ columns: [table.vendor_id, table.water_supply_key] })],
)

/**
 * The newest values of each device, as lists show, search and sort them. Separate from `devices`, so that a reading
 * writes the indexes of this table only, and not those of everything that people set.
 */
import { index, pgTable, smallint } from 'drizzle-orm/pg-core'
import type { StatusCode } from '../../../src/domain/device.ts'
import { bytewise, newestValues, time } from './columns.ts'
import { devices } from './devices.ts'

/**
 * A trigger creates the row with its device. Values are copied from the device's twin a moment after a message. The table is
 * unlogged (migration 0042): PostgreSQL writes no log of it, and empties it after a crash (`fillDeviceValues`).
 */
export const deviceValues = pgTable(
  'device_values',
  {
    bssid: bytewise()
      .primaryKey()
      .references(() => devices.bssid, { onDelete: 'cascade' }),
    /** A copy of the device's, kept by a trigger: the scope, so that a page of ids is an index-only scan. */
    vendor_id: bytewise().notNull(),
    /** When the last message arrived. */
    last_active: time(),
    /** The reported status, or Offline. */
    status: smallint().$type<StatusCode>().notNull().default(3),
    ...newestValues(),
  },
  table => {
    const { bssid, vendor_id, ...sorted } = table
    return Object.entries(sorted).map(([name, column]) =>
      index(`device_values_by_${name}`).on(column, bssid, vendor_id),
    )
  },
)

/** One row, with id 1, while `device_values` has a row of each device. Unlogged too, so a crash empties both. */
export const deviceValuesFilled = pgTable('device_values_filled', { id: smallint().primaryKey().default(1) })

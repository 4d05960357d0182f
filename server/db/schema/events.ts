/** Calendar events and their devices. */
import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytewise, time } from './columns.ts'
import { deviceReference } from './devices.ts'

export const events = pgTable(
  'events',
  {
    id: bytewise().primaryKey(),
    title: text().notNull(),
    description: text().notNull(),
    starts_at: time().notNull(),
    /** Not before the start. */
    ends_at: time().notNull(),
    /** No foreign key: events outlive the account that created them. */
    created_by: text().notNull(),
    created_at: time().notNull(),
  },
  table => [
    // Both bounds are inclusive, because an empty range would overlap nothing.
    index('events_span').using('gist', sql`tstzrange(${table.starts_at}, ${table.ends_at}, '[]')`),
  ],
)

/** Devices of events. A trigger deletes an event with its last device. */
export const eventDevices = pgTable(
  'event_devices',
  {
    event_id: bytewise()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    bssid: deviceReference(),
  },
  table => [
    primaryKey({ columns: [table.event_id, table.bssid] }),
    index('event_devices_of_device').on(table.bssid, table.event_id),
  ],
)

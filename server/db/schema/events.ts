/** The calendar: what is planned for which devices. */
import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytewise, time } from './columns.ts'
import { devices } from './devices.ts'

export const events = pgTable(
  'events',
  {
    id: bytewise().primaryKey(),
    title: text().notNull(),
    description: text().notNull(),
    starts_at: time().notNull(),
    /** Never before the start. */
    ends_at: time().notNull(),
    /** No reference: the event outlives the account that made it. */
    created_by: text().notNull(),
    created_at: time().notNull(),
  },
  table => [
    // With both ends, so that an event without length overlaps something.
    index('events_span').using('gist', sql`tstzrange(${table.starts_at}, ${table.ends_at}, '[]')`),
  ],
)

/** Whom an event concerns. The last of its devices takes the event with it: a trigger sees to that. */
export const eventDevices = pgTable(
  'event_devices',
  {
    event_id: bytewise()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    bssid: bytewise()
      .notNull()
      .references(() => devices.bssid, { onDelete: 'cascade' }),
  },
  table => [
    primaryKey({ columns: [table.event_id, table.bssid] }),
    index('event_devices_of_device').on(table.bssid, table.event_id),
  ],
)

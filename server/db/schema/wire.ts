/** Commands to devices, and their credentials. */
import { index, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { DeviceCommand } from '../../protocol/commands.ts'
import { bytewise, time } from './columns.ts'
import { deviceReference, devices } from './devices.ts'

/** One secret per device, stored as a hash in the format of Mosquitto's password files. */
export const deviceCredentials = pgTable('device_credentials', {
  bssid: bytewise()
    .primaryKey()
    .references(() => devices.bssid, { onDelete: 'cascade' }),
  hash: text().notNull(),
  created_at: time().notNull().defaultNow(),
})

/**
 * The group in which servers share the messages of devices at an external broker: one row. A device that knew the name could
 * take a share of all readings.
 */
export const shareGroups = pgTable('share_groups', { id: smallint().primaryKey(), name: text().notNull() })

export const commandStates = ['sent', 'done', 'refused', 'unanswered'] as const
export type CommandState = (typeof commandStates)[number]

/** All sent commands, each in exactly one state. */
export const deviceCommands = pgTable(
  'device_commands',
  {
    id: bytewise().primaryKey(),
    bssid: deviceReference(),
    command: jsonb().$type<DeviceCommand>().notNull(),
    state: text().$type<CommandState>().notNull().default('sent'),
    /** Why the command failed; null otherwise. */
    reason: text(),
    created_at: time().notNull(),
    /** Until when the device may execute the command and an acknowledgement counts. */
    expires_at: time().notNull(),
    ended_at: time(),
  },
  table => [
    index('device_commands_of').on(table.bssid, table.created_at),
    index('device_commands_open')
      .on(table.expires_at)
      .where(sql`${table.state} = 'sent'`),
    index('device_commands_age').on(table.created_at),
  ],
)

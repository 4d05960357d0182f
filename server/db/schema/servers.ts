/** The servers on this database. Each renews its row every few seconds, and deletes it when it stops. */
import { doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { BusKind, ServerBusState, ServerRole } from '../../../src/domain/columns/servers.ts'
import { bytewise, time } from './columns.ts'

export const servers = pgTable(
  'servers',
  {
    id: bytewise().primaryKey(),
    name: text().notNull(),
    roles: text().array().$type<ServerRole[]>().notNull(),
    version: text().notNull(),
    started_at: time().notNull(),
    /** By the database's clock, as is every comparison with it. */
    seen_at: time().notNull(),
    /** % of a core, ms, MB. */
    cpu: doublePrecision().notNull(),
    lag: doublePrecision().notNull(),
    memory: doublePrecision().notNull(),
    devices: integer(),
    readings: doublePrecision(),
    pending: integer(),
    /** Null for a server of a version that does not say. */
    bus: text().$type<BusKind>(),
    bus_state: text().$type<ServerBusState>(),
  },
  table => [index('servers_seen').on(table.seen_at)],
)

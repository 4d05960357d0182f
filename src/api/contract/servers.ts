/** The servers of an installation, an addition to the specification's endpoints. */
import * as z from 'zod/mini'
import { busKinds, busStates, serverColumns, serverRoles, serverStates } from '../../domain/columns/servers.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { listEndpoint } from './endpoint.ts'
import { Id, Time } from './fields.ts'

export const Server = z.object({
  _id: Id,
  /** Host and process id, such as `web-1/4711`. */
  name: z.string(),
  roles: z.array(z.enum(serverRoles)),
  state: z.enum(serverStates),
  version: z.string(),
  started_at: Time,
  /** When it last reported. */
  seen_at: Time,
  /** Processor time over the last seconds, in % of a core. */
  cpu: z.number(),
  /** The longest delay of its event loop over the last seconds, ms. */
  lag: z.number(),
  /** Resident memory of its process, MB. */
  memory: z.number(),
  /** Devices that are connected to its embedded broker; null if it has none. */
  devices: z.nullable(z.number()),
  /** Readings stored per second over the last seconds, and readings that wait to be stored. Null without the role gateway. */
  readings: z.nullable(z.number()),
  pending: z.nullable(z.number()),
  /** How its events reach the other servers, and whether they do. Null for a server of a version that does not say. */
  bus: z.nullable(z.enum(busKinds)),
  bus_state: z.nullable(z.enum(busStates)),
})

export const servers = {
  list: listEndpoint({
    ...listDefinitions.servers.endpoint,
    roles: ['superadmin'],
    summary:
      'The servers on the database, with their roles and load. A server that was shut down normally is not listed.',
    row: Server,
    columns: serverColumns,
  }),
}

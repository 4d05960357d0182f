import * as z from 'zod/mini'
import { deviceRoles } from '../../domain/roles.ts'
import { Device } from './devices.ts'
import { endpoint } from './endpoint.ts'
import { Notification } from './notifications.ts'

/** Milliseconds between two `ping` events. Without any event for more than two intervals the connection is dead. */
export const pingInterval = 15_000

/** The data of each event. */
export const streamEvents = {
  /** Changed rows, as in the list; at most one event a second, with the latest values. */
  devices: z.object({ devices: z.array(Device) }),
  notifications: z.object({ notifications: z.array(Notification) }),
  /**
   * Resources (the path segment after the version: `devices`, `vendors`) with changes that are not sent row by row.
   * Clients must read them again.
   */
  changed: z.object({ resources: z.array(z.string()) }),
  /** The account has marked notifications as seen, in any session: the unseen count has changed. */
  seen: z.object({}),
  /** Progress of a bulk call that was sent with a `progress-id`. */
  progress: z.object({ id: z.string(), done: z.number(), failed: z.number(), total: z.number() }),
  /** Sent at once and then at every interval, as a sign of life. */
  ping: z.object({}),
} as const

export type StreamEvents = { readonly [Name in keyof typeof streamEvents]: z.output<(typeof streamEvents)[Name]> }

const eventOf = <Name extends keyof typeof streamEvents>(name: Name) =>
  z.object({ event: z.literal(name), data: streamEvents[name] })

export const stream = {
  open: endpoint({
    method: 'GET',
    path: '/api/v3/stream',
    roles: deviceRoles,
    summary: 'Live updates as server-sent events, until the access token expires.',
    stream: true,
    response: z.union([
      eventOf('devices'),
      eventOf('notifications'),
      eventOf('changed'),
      eventOf('seen'),
      eventOf('progress'),
      eventOf('ping'),
    ]),
  }),
}

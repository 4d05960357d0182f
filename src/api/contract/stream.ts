import * as z from 'zod/mini'
import { deviceRoles } from '../../domain/roles.ts'
import { Device } from './devices.ts'
import { endpoint } from './endpoint.ts'
import { Notification } from './notifications.ts'

/** Milliseconds between two `ping` events: when nothing came for longer than two of them, the line is dead. */
export const pingInterval = 15_000

/** What each event holds. */
export const streamEvents = {
  /** Rows that have changed, as the list has them; at most one such event a second, with the newest values. */
  devices: z.object({ devices: z.array(Device) }),
  notifications: z.object({ notifications: z.array(Notification) }),
  /**
   * Of these resources (`devices`, `vendors`: what follows the version in their paths) more has changed than is told
   * row by row: what one shows of them is to be read again.
   */
  changed: z.object({ resources: z.array(z.string()) }),
  /** The account that listens has seen its notifications, here or elsewhere: fewer of them are unseen. */
  seen: z.object({}),
  /** How far a call is that was given a `progress-id`: devices that have done it, that have not, and all. */
  progress: z.object({ id: z.string(), done: z.number(), failed: z.number(), total: z.number() }),
  /** At once, and then at every interval: the stream is alive. */
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
    summary: 'What changes from now on, as server-sent events, for as long as the access token lives.',
    stream: true,
    answer: z.union([
      eventOf('devices'),
      eventOf('notifications'),
      eventOf('changed'),
      eventOf('seen'),
      eventOf('progress'),
      eventOf('ping'),
    ]),
  }),
}

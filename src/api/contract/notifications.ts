import * as z from 'zod/mini'
import { notificationTypes } from '../../domain/notifications/types.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { endpoint } from './endpoint.ts'
import { commaList, BssidInput, Id, Time, TimeInput } from './fields.ts'

/** Notifications of one type that several devices of a vendor gave at almost the same time. */
export const Incident = z.object({
  devices: z.number(),
  /** How many of its conditions last. */
  open: z.number(),
  /** The water supply of all its devices; null if they are not on one. */
  water_supply: z.nullable(z.string()),
  /** The time of its last notification; it began with its first. */
  last_at: Time,
  /** When the last of its conditions ended; null while one lasts. */
  ended_at: z.nullable(Time),
})
export type Incident = z.output<typeof Incident>

export const Notification = z.object({
  _id: Id,
  type: z.enum(notificationTypes),
  /** The device, with the texts by which people recognize it. */
  device: z.object({ bssid: z.string(), description: z.string(), company_name: z.string() }),
  created_at: Time,
  /** The values in its text, such as a cartridge's model, a firmware version or a measured value. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  /** How many of this device and type followed that have no row of their own; absent if none did. */
  repeats: z.optional(z.number()),
  /** In a collapsed list, the incident that the row stands for: `_id` is its id, the rest is its first notification. */
  incident: z.optional(Incident),
})

export type Notification = z.output<typeof Notification>

/**
 * The number of unseen notifications. `seen_at`: notifications up to this time are seen; initially the time at which the
 * account was created.
 */
export const Unseen = z.object({ count: z.number(), seen_at: Time })
export type Unseen = z.output<typeof Unseen>

export const notifications = {
  list: endpoint({
    method: 'GET',
    path: '/api/v3/notifications',
    roles: deviceRoles,
    summary: 'Notifications, newest first; collapsed, each incident is one row.',
    query: z.object({
      offset: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), 12),
      /** An absent list matches all notifications; an empty one matches none. */
      types: z.optional(z.pipe(commaList, z.array(z.enum(notificationTypes)))),
      devices: z.optional(z.pipe(commaList, z.array(BssidInput))),
      /** With `true`, an incident is one row instead of those of its notifications. */
      collapse: z._default(z.enum(['true', 'false']), 'false'),
      /** Only the notifications of this incident, which are not collapsed. */
      incident: z.optional(Id),
    }),
    response: z.object({ count: z.number(), data: z.array(Notification) }),
  }),
  unseen: endpoint({
    method: 'GET',
    path: '/api/v3/notifications/unseen',
    roles: deviceRoles,
    summary:
      'The number of notifications that the account has not seen, an incident as one; at most 1,000 are counted.',
    response: Unseen,
  }),
  markSeen: endpoint({
    method: 'PUT',
    path: '/api/v3/notifications/seen',
    roles: deviceRoles,
    summary: 'Mark all notifications up to a time as seen. An earlier time changes nothing.',
    body: z.strictObject({ until: TimeInput }),
    response: Unseen,
  }),
}

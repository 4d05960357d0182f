import * as z from 'zod/mini'
import { loadDays, type LoadRange } from '../../domain/notifications/alarmLoad.ts'
import { notificationTypes } from '../../domain/notifications/types.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { endpoint } from './endpoint.ts'
import { commaList, BssidInput, Id, Time, TimeInput, TimeZone } from './fields.ts'

/** The device of a notification, with the texts by which people recognize it. */
const NotifiedDevice = z.object({ bssid: z.string(), description: z.string(), company_name: z.string() })

/**
 * Notifications of one type that several devices of a vendor gave at almost the same time. Administrators see those of several
 * vendors as one.
 */
export const Incident = z.object({
  devices: z.number(),
  /** How many of its conditions last. */
  open: z.number(),
  /** The number of vendors of the devices, if there are several. */
  vendors: z.optional(z.number()),
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
  device: NotifiedDevice,
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

/** How many alarms people get. An alarm is a line of a collapsed list: an incident is one. */
const AlarmLoad = z.object({
  /** What is counted: from the start of the first local day, or the newest 1,000,000 alarms. */
  from: Time,
  until: Time,
  alarms: z.number(),
  /** Those of them that are incidents, and the notifications that these stand for. */
  incidents: z.number(),
  incident_notifications: z.number(),
  /** Alarms a day; each person who sees these devices gets all of them. */
  per_person_day: z.number(),
  /** Windows of ten minutes, and those with ten alarms or more: a flood. */
  windows: z.number(),
  flood_windows: z.number(),
  flood_hours: z.number(),
  /** The start of the window with the most alarms; null without alarms. */
  fullest: z.nullable(z.object({ at: Time, alarms: z.number() })),
  /** The local days, oldest first, with the alarms that were given in floods. */
  days: z.array(z.object({ at: Time, alarms: z.number(), flooded: z.number() })),
  /** The devices with the most alarms outside of incidents, at most ten, each with its most frequent type. */
  worst: z.array(
    z.object({ device: NotifiedDevice, alarms: z.number(), type: z.enum(notificationTypes), of_type: z.number() }),
  ),
  /** Since when these are counted: the newest 100,000 alarms. */
  worst_from: Time,
})
export type AlarmLoad = z.output<typeof AlarmLoad>

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
      'The number of notifications, an incident as one, notified findings and changes of supplies that the account has not seen; at most 1,000 are counted.',
    response: Unseen,
  }),
  markSeen: endpoint({
    method: 'PUT',
    path: '/api/v3/notifications/seen',
    roles: deviceRoles,
    summary:
      'Mark all notifications up to a time as seen. An earlier time changes nothing. 403 for a key that is limited to a vendor.',
    body: z.strictObject({ until: TimeInput }),
    response: Unseen,
  }),
  load: endpoint({
    method: 'GET',
    path: '/api/v3/notifications/load',
    roles: deviceRoles,
    summary: 'How many alarms a person gets in a day, time in flood, and the devices with the most alarms.',
    query: z.object({
      /** 7 or 30 local days, with today. */
      range: z._default(z.enum(Object.keys(loadDays) as [LoadRange, ...LoadRange[]]), 'week'),
      zone: z._default(TimeZone, 'UTC'),
    }),
    response: AlarmLoad,
  }),
}

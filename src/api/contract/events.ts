import * as z from 'zod/mini'
import { messages } from '../../domain/messages.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { Created, Done, endpoint, integerParam, maxPerCall } from './endpoint.ts'
import { ByIdPath, commaList, BssidInput, Id, withMeta, optionalText, text, Time, TimeInput } from './fields.ts'

export const Event = z.object({
  _id: Id,
  title: z.string(),
  description: z.string(),
  start: Time,
  end: Time,
  /** The first `maxListedDevices` of the devices that the caller may see, by bssid, and how many there are. */
  devices: z.array(z.string()),
  device_count: z.number(),
  /** The account that created it. */
  created_by: Id,
})
export type Event = z.output<typeof Event>

/** Maximum days of a list of events. */
export const maxEventDays = 400
/** Maximum devices of an event in a list. */
export const maxListedDevices = 100
/** Maximum events of a page. */
export const maxEventsPerPage = 1000

export const events = {
  create: endpoint({
    method: 'POST',
    path: '/api/v3/events',
    roles: deviceRoles,
    summary: 'Create a calendar event. The end must not be before the start.',
    body: z.strictObject({
      title: withMeta(text(200), { label: 'Title' }),
      description: withMeta(optionalText(2000), { label: 'Description', as: 'multiline' }),
      start: withMeta(TimeInput, { label: 'Start' }),
      end: withMeta(TimeInput, { label: 'End' }),
      devices: withMeta(z.array(BssidInput).check(z.minLength(1, messages.someDevices), z.maxLength(maxPerCall)), {
        label: 'Devices',
      }),
    }),
    response: Created,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v3/events',
    roles: deviceRoles,
    summary: 'Events between two times at most 400 days apart, earliest first, in pages if a limit is given.',
    query: z.object({
      from: TimeInput,
      to: TimeInput,
      /** All devices if absent; an empty list matches no events. */
      devices: z.optional(z.pipe(commaList, z.array(BssidInput))),
      /** The events of a page. A page that is not full is the last. */
      limit: z.optional(integerParam(1, maxEventsPerPage)),
      /** The last event of the page before, `start,_id`. */
      after: z.optional(z.string().check(z.maxLength(120))),
    }),
    response: z.array(Event),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/v3/events/{id}',
    roles: deviceRoles,
    summary: 'Delete an event. For a vendor, remove its devices from the event.',
    params: ByIdPath,
    response: Done,
  }),
}

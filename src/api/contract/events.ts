import * as z from 'zod/mini'
import { deviceRoles } from '../../domain/roles.ts'
import { Created, Done, endpoint } from './endpoint.ts'
import { Bssids, ByIdPath, commaList, Id, optionalText, text, Time, TimeInput } from './fields.ts'

export const Event = z.object({
  _id: Id,
  title: z.string(),
  description: z.string(),
  start: Time,
  end: Time,
  devices: z.array(z.string()),
  created_by: Id,
})
export type Event = z.output<typeof Event>

export const events = {
  create: endpoint({
    method: 'POST',
    path: '/api/v3/events',
    roles: deviceRoles,
    summary: 'Create a calendar event.',
    body: z.strictObject({
      title: text(200),
      description: optionalText(2000),
      start: TimeInput,
      end: TimeInput,
      devices: Bssids,
    }),
    answer: Created,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v3/events',
    roles: deviceRoles,
    summary: 'Events between two times at most 400 days apart.',
    query: z.object({ from: TimeInput, to: TimeInput, devices: z.optional(commaList) }),
    answer: z.array(Event),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/v3/events/{id}',
    roles: deviceRoles,
    summary: 'Delete an event.',
    params: ByIdPath,
    answer: Done,
  }),
}

/** What a new event is asked for. */
import * as z from 'zod/mini'
import { events } from '../api/contract/events.ts'
import { labelled } from '../api/contract/fields.ts'
import { findDevices } from '../api/search.ts'
import { selections, type DeviceItem } from '../store/selection.ts'
import type { Choices } from './command.ts'

/** What is selected first: it is what events are mostly for. */
export const deviceChoices: Choices = async (_context, query, signal) =>
  query.trim() === ''
    ? (selections.devices.items() as readonly DeviceItem[])
        .slice(0, 100)
        .map(({ id, company }) => ({ value: id, name: id, detail: company }))
    : (await findDevices(query, signal)).map(device => ({
        value: device.bssid,
        name: device.bssid,
        detail: [device.description, device.vendor.company_name].filter(Boolean).join(' · '),
      }))

const isSpan = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'start' in value && 'end' in value

const { title, description, start, end, devices } = events.create.body.shape
export const NewEvent = z
  .object({ title, description, start, end, devices: labelled(z.optional(devices), { label: 'Devices' }) })
  .check(
    z.refine(event => !(Date.parse(event.end) < Date.parse(event.start)), {
      path: ['end'],
      error: 'must not be before the start',
      // Also while other fields are still wanting.
      when: ({ value }) => isSpan(value),
    }),
  )

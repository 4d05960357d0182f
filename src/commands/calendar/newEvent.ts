/** What a new event is asked for. */
import * as z from 'zod/mini'
import { events } from '../../api/contract/events.ts'
import { labelled } from '../../api/contract/fields.ts'
import { findDevices } from '../../api/search.ts'
import {
  calendarYears,
  inCalendar,
  minute,
  occurrence,
  todayIn,
  wholeMinute,
  type Span,
} from '../../domain/calendar/days.ts'
import { clock, clockAt } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { wallTime } from '../../domain/zone.ts'
import { selections, type DeviceItem } from '../../store/selection.ts'
import type { Choices } from '../core/command.ts'

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

const isSpan = (value: unknown): value is Span =>
  typeof value === 'object' && value !== null && 'start' in value && 'end' in value

/** Whoever typed an hour that clocks skip is told when that is: by the clock on the wall the end came after it. */
function endsTooEarly({ start }: Span): string {
  const [zone, instant] = [systemTimeZone(), Date.parse(start)]
  const before = wholeMinute(wallTime(zone, instant)) - 60 * minute
  return occurrence(zone, before) === 'never'
    ? `must not be before the start at ${clockAt(zone, instant)}; clocks skip ${clock(before)} on this day`
    : 'must not be before the start'
}

const inYears = z.refine<string>(
  time => Number.isNaN(Date.parse(time)) || inCalendar(todayIn(systemTimeZone(), Date.parse(time))),
  `must be in the years ${calendarYears.first} to ${calendarYears.last}`,
)

const { title, description, start, end, devices } = events.create.body.shape
export const NewEvent = z
  .object({
    title,
    description,
    start: labelled(start.check(inYears), { label: 'Start' }),
    end: labelled(end.check(inYears), { label: 'End' }),
    devices: labelled(z.optional(devices), { label: 'Devices' }),
  })
  .check(
    z.refine(event => !(Date.parse(event.end) < Date.parse(event.start)), {
      path: ['end'],
      error: ({ input }) => (isSpan(input) ? endsTooEarly(input) : undefined),
      // Also while other fields are still wanting.
      when: ({ value }) => isSpan(value),
    }),
  )

/** The arguments of the command that creates an event. */
import * as z from 'zod/mini'
import { events } from '../../api/contract/events.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { findDevices } from '../../api/search.ts'
import { calendarYears, inCalendar, occurrence, todayIn, wholeMinute, type Span } from '../../domain/calendar/days.ts'
import { clock, clockAt } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { wallTime } from '../../domain/zone.ts'
import { selections, type DeviceItem } from '../../store/selection.ts'
import type { Choices } from '../core/types.ts'
import { msPerMinute } from '../../domain/time.ts'

/** Returns the selected devices while nothing is typed, because most events are for them; otherwise the found ones. */
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

/**
 * Returns the message for an end before the start. A start in an hour that clocks skip is moved an hour later, so that
 * an end which looks later on the clock can be too early; the message then gives the actual start.
 */
function endsTooEarly({ start }: Span): string {
  const [zone, instant] = [systemTimeZone(), Date.parse(start)]
  const hourBefore = wholeMinute(wallTime(zone, instant)) - 60 * msPerMinute
  return occurrence(zone, hourBefore) === 'never'
    ? `must not be before the start at ${clockAt(zone, instant)}; clocks skip ${clock(hourBefore)} on this day`
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
    start: withMeta(start.check(inYears), { label: 'Start' }),
    end: withMeta(end.check(inYears), { label: 'End' }),
    devices: withMeta(z.optional(devices), { label: 'Devices' }),
  })
  .check(
    z.refine(event => !(Date.parse(event.end) < Date.parse(event.start)), {
      path: ['end'],
      error: ({ input }) => (isSpan(input) ? endsTooEarly(input) : undefined),
      // Checked even if other fields are missing or invalid.
      when: ({ value }) => isSpan(value),
    }),
  )

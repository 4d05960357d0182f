/** What commands of the calendar act on. */
import type { Event } from '../api/contract/events.ts'
import { knownEvent } from '../api/events.ts'
import { messages } from '../domain/messages.ts'
import { placeOf } from '../domain/routes.ts'
import { calendar } from '../store/calendar.ts'
import type { DeviceItem } from '../store/selection.ts'
import type { Needs } from './command.ts'

export const onCalendar: Needs<undefined> = ({ path }) =>
  placeOf(path) === 'calendar' ? { target: undefined } : { blocked: 'Open the calendar first' }

/** The event that is shown, or else the one in focus. */
export const theEvent: Needs<Event> = ({ path }) => {
  const event = placeOf(path) === 'calendar' ? (knownEvent(calendar.open) ?? knownEvent(calendar.focused)) : undefined
  return event ? { target: event } : { blocked: 'Open an event first' }
}

export const selectedDevices: Needs<readonly DeviceItem[]> = ({ targets }) => {
  const target = targets('devices')
  return target.length > 0 ? { target } : { blocked: messages.firstDevices }
}

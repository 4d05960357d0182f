/** Needs of the calendar commands. */
import { maxPerCall } from '../../api/contract/endpoint.ts'
import type { Event } from '../../api/contract/events.ts'
import { cachedEvent } from '../../api/events.ts'
import { messages } from '../../domain/messages.ts'
import { screenAt } from '../../domain/lists/routes.ts'
import { calendar, type Draft } from '../../store/calendar.ts'
import type { DeviceItem } from '../../store/selection.ts'
import type { Needs } from '../core/types.ts'
import { onScreen } from '../core/screenNeeds.ts'
import { jobOfEvent } from './jobEvents.ts'
import { isSuggestion } from './suggestionIds.ts'
import { formatNumber } from '../../domain/format.ts'

export const onCalendar = onScreen('calendar')

/** Needs the focused event, or else the event in the panel. What else can have the focus in the calendar is no event. */
export const currentEvent: Needs<Event> = ({ path }) => {
  const id = calendar.focusedEvent ?? calendar.openEvent
  const event = screenAt(path) === 'calendar' ? cachedEvent(id) : undefined
  if (event) return { target: event }
  if (id === undefined || screenAt(path) !== 'calendar') return { blocked: 'Open an event first' }
  if (jobOfEvent(id) !== undefined) return { blocked: 'A scheduled job is not an event. To cancel it, open it' }
  return { blocked: isSuggestion(id) ? 'A suggestion cannot be deleted, only hidden' : 'Open an event first' }
}

/** Returns whether the form for a new event has devices of its own, such as those of a suggested visit. */
export const hasOwnDevices = ({ devices }: Draft): boolean => Array.isArray(devices) && devices.length > 0

/** Needs selected devices, at most as many as one call accepts; the form may have its own instead. */
export const someDevicesOfEvent: Needs<readonly DeviceItem[]> = ({ targets, path }) => {
  const target = targets('devices')
  // The form leaves its devices out of the input if they are the selected ones.
  if (screenAt(path) === 'calendar' && hasOwnDevices(calendar.draft))
    return { target: target.length > maxPerCall ? [] : target }
  if (target.length === 0) return { blocked: messages.firstDevices }
  const [max, selected] = [maxPerCall, target.length].map(count => formatNumber(count))
  return target.length > maxPerCall
    ? { blocked: `An event can have at most ${max} devices; ${selected} are selected` }
    : { target }
}

/** Suggested visits in the calendar, which are shown as events. */
import { cachedPlan } from '../../api/health/plan.ts'
import type { Event } from '../../api/contract/events.ts'
import type { Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import type { Visit } from '../../domain/calendar/visits.ts'
import { visitDescription, visitTitle } from '../../domain/calendar/visitTexts.ts'
import type { Draft } from '../../store/calendar.ts'
import { isSuggestion, suggestionId } from './suggestionIds.ts'

/** Returns the devices of a visit. */
export const devicesOf = ({ cartridges }: Visit): string[] => [...new Set(cartridges.map(({ bssid }) => bssid))]

/** Returns what the event of a visit has. */
export const visitEvent = (visit: Visit) => ({
  title: visitTitle(visit),
  description: visitDescription(visit),
  start: visit.at,
  end: visit.until,
  devices: devicesOf(visit),
})

/** Returns the event that stands for a visit. */
export const suggestedEvent = (visit: Visit): Event => ({
  ...visitEvent(visit),
  _id: suggestionId(visit),
  device_count: visit.count,
  created_by: '',
})

/** Returns the visit that an event of this view stands for. */
export const suggestedVisit = (event: string, view: CalendarView, date: Day, zone: string): Visit | undefined =>
  isSuggestion(event) ? cachedPlan(view, date, zone).find(visit => suggestionId(visit) === event) : undefined

/** Returns the fields of the form for a new event, filled in from a visit. */
export function draftOf(visit: Visit): Draft {
  const event = visitEvent(visit)
  const detail = visit.vendor.company_name
  return { ...event, devices: event.devices.map(bssid => ({ value: bssid, name: bssid, detail })) }
}

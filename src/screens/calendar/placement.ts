import type { Event } from '../../api/contract/events.ts'
import { daysOf, layoutSpan, type Day, type WallSpan } from '../../domain/calendar/days.ts'

interface Placement {
  readonly first: Day
  readonly last: Day
  readonly whole: WallSpan
}

/** Cached by event object; the cached zone is compared. */
const placements = new WeakMap<Event, { readonly zone: string; readonly place: Placement }>()

/** Returns an event's days and drawn span. Cached, because time zone conversions are slow. */
export function placementOf(event: Event, zone: string): Placement {
  const cached = placements.get(event)
  if (cached?.zone === zone) return cached.place
  const place = { ...daysOf(event, zone), whole: layoutSpan(event, zone) }
  placements.set(event, { zone, place })
  return place
}

import type { Event } from '../../api/contract/events.ts'
import { daysOf, layoutSpan, type Day, type WallSpan } from '../../domain/calendar/days.ts'

/** The position of an event in the views: its days, and its span in wall time. */
interface Placement {
  readonly first: Day
  readonly last: Day
  readonly span: WallSpan
}

/** Cached by event object; the cached zone is compared. */
const placements = new WeakMap<Event, { readonly zone: string; readonly placement: Placement }>()

/** Returns an event's days and drawn span. Cached, because time zone conversions are slow. */
export function placementOf(event: Event, zone: string): Placement {
  const cached = placements.get(event)
  if (cached?.zone === zone) return cached.placement
  const placement = { ...daysOf(event, zone), span: layoutSpan(event, zone) }
  placements.set(event, { zone, placement })
  return placement
}

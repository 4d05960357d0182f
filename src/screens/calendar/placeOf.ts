import type { Event } from '../../api/contract/events.ts'
import { daysOf, layoutSpan, type Day, type WallSpan } from '../../domain/calendar/days.ts'

interface Place {
  readonly first: Day
  readonly last: Day
  readonly whole: WallSpan
}

/** By zone; what is read anew is another event. */
const places = new WeakMap<Event, { readonly zone: string; readonly place: Place }>()

/** The days of an event and where it is drawn, read from the zone's clock once: that takes time. */
export function placeOf(event: Event, zone: string): Place {
  const known = places.get(event)
  if (known?.zone === zone) return known.place
  const place = { ...daysOf(event, zone), whole: layoutSpan(event, zone) }
  places.set(event, { zone, place })
  return place
}

/// <reference lib="esnext.temporal" />
import type { CalendarEventExternal } from '@schedule-x/calendar'
import type { Event } from '../../api/contract/events.ts'
import { isSuggestion } from '../../commands/calendar/suggestionIds.ts'
import { dayAt, splitByDay, type WallSpan } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { placementOf } from './placement.ts'

/** A part of an event that is drawn as one box. */
export interface Piece extends WallSpan {
  readonly event: Event
}

/**
 * Returns the parts of events: in a month one per event; in a week or day one per day for events that cross midnight.
 * Those of the event `first` come first, so that a day with many events shows it.
 */
export const piecesOf = (
  events: readonly Event[],
  view: CalendarView,
  zone: string,
  first?: string,
): readonly Piece[] =>
  events
    .toSorted((a, b) => Number(b._id === first) - Number(a._id === first))
    .flatMap(event => {
      const { span } = placementOf(event, zone)
      return (view === 'month' ? [span] : splitByDay(span)).map(piece => ({ ...piece, event }))
    })

/** Converts a day to the library's type. */
export const plainDay = (day: string): Temporal.PlainDate => Temporal.PlainDate.from(day)

/**
 * Converts a wall time for the library as if it were UTC. There every day has 24 hours, so the library places events by
 * local time even when clocks change.
 */
const wallToZoned = (wall: number) => Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC')

/**
 * Converts parts to the library's events. A month gets days without times, because formatting times is the library's
 * slowest step.
 */
export const toLibraryEvents = (pieces: readonly Piece[], view: CalendarView): CalendarEventExternal[] =>
  pieces.map(({ event, from, to }) => ({
    id: event._id,
    title: event.title,
    start: view === 'month' ? plainDay(dayAt(from)) : wallToZoned(from),
    end: view === 'month' ? plainDay(dayAt(to)) : wallToZoned(to),
  }))

/** Compares events in a month: by day, then events of several days first, and suggestions after all events. */
export function sortInMonth(a: CalendarEventExternal, b: CalendarEventExternal): number {
  const [start, end] = [dayOf(a.start), dayOf(a.end)]
  const suggestionsLast = Number(isSuggestion(String(a.id))) - Number(isSuggestion(String(b.id)))
  return compare(start, dayOf(b.start)) || suggestionsLast || compare(dayOf(b.end), end)
}
const dayOf = (time: Temporal.PlainDate | Temporal.ZonedDateTime) => time.toString().slice(0, 10)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

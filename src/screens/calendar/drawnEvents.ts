/// <reference lib="esnext.temporal" />
import type { CalendarEventExternal } from '@schedule-x/calendar'
import type { Event } from '../../api/contract/events.ts'
import { dayAt, splitByDay, type WallSpan } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { placeOf } from './placeOf.ts'

/** A stretch of an event as it is drawn in one piece. */
export interface Piece extends WallSpan {
  readonly event: Event
}

/** In a month an event is one piece; where days stand beside each other, one that crosses midnight is one for each. */
export const piecesOf = (events: readonly Event[], view: CalendarView, zone: string): readonly Piece[] =>
  events.flatMap(event => {
    const { whole } = placeOf(event, zone)
    return (view === 'month' ? [whole] : splitByDay(whole)).map(piece => ({ ...piece, event }))
  })

export const plainDay = (day: string): Temporal.PlainDate => Temporal.PlainDate.from(day)

/**
 * The library is handed wall times as if they were UTC: on such a clock every day has 24 hours and none is skipped or
 * comes twice, so it places everything by the clock on the wall, whatever the zone's clocks do.
 */
const onWall = (wall: number) => Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC')

/** A month needs the days alone: to write out times takes the library longer than all the rest. */
export const asDrawn = (pieces: readonly Piece[], view: CalendarView): CalendarEventExternal[] =>
  pieces.map(({ event, from, to }) => ({
    id: event._id,
    title: event.title,
    start: view === 'month' ? plainDay(dayAt(from)) : onWall(from),
    end: view === 'month' ? plainDay(dayAt(to)) : onWall(to),
  }))

/** The order in a month: by day, what takes several days first; the rest stays in its order. */
export function sortInMonth(a: CalendarEventExternal, b: CalendarEventExternal): number {
  const [start, end] = [dayOf(a.start), dayOf(a.end)]
  return compare(start, dayOf(b.start)) || compare(dayOf(b.end), end)
}
const dayOf = (time: Temporal.PlainDate | Temporal.ZonedDateTime) => time.toString().slice(0, 10)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

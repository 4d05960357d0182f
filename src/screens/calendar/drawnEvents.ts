/// <reference lib="esnext.temporal" />
import type { CalendarEventExternal } from '@schedule-x/calendar'
import type { Event } from '../../api/contract/events.ts'
import { drawn, perDay, type CalendarView, type Drawn } from '../../domain/calendarDays.ts'

/** A stretch of an event as it is drawn in one piece. */
export interface Piece extends Drawn {
  readonly event: Event
}

/** In a month an event is one piece; where days stand beside each other, one that crosses midnight is one for each. */
export const piecesOf = (events: readonly Event[], view: CalendarView, zone: string): readonly Piece[] =>
  events.flatMap(event => {
    const whole = drawn(event, zone)
    return (view === 'month' ? [whole] : perDay(whole)).map(piece => ({ ...piece, event }))
  })

/**
 * The library is handed wall times as if they were UTC: on such a clock every day has 24 hours and none is skipped or
 * comes twice, so it places everything by the clock on the wall, whatever the zone's clocks do.
 */
const onWall = (wall: number) => Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC')

export const plainDay = (day: string): Temporal.PlainDate => Temporal.PlainDate.from(day)

export const asDrawn = (pieces: readonly Piece[]): CalendarEventExternal[] =>
  pieces.map(({ event, from, to }) => ({
    id: event._id,
    title: event.title,
    start: onWall(from),
    end: onWall(to),
  }))

/** The state of the calendar. */
import { proxy } from 'valtio'
import { isFlag, isOneOf } from '../domain/lib/checks.ts'
import type { Span } from '../domain/calendar/days.ts'
import { calendarViews, type CalendarView } from '../domain/calendar/views.ts'
import { isNarrow } from './layout.ts'
import { persist } from './persist.ts'

/** The edited fields of the form for a new event; empty if none has been edited. */
export type Draft = Readonly<Record<string, unknown>>

interface Calendar {
  /** The chosen view; undefined means the default for the screen's width. */
  view: CalendarView | undefined
  /** The focused day, which is always visible: `YYYY-MM-DD` in the viewer's time zone; undefined is today. */
  date: string | undefined
  /** The focused time of that day, minutes after midnight. */
  minutes: number
  /** Whether only events of selected devices are shown. */
  onlySelected: boolean
  /** Whether visits that replace cartridges are suggested. */
  suggestions: boolean
  /** The id of the event shown in the panel. */
  openEvent: string | undefined
  /** The id of the event that has the DOM focus. */
  focusedEvent: string | undefined
  /** The element that receives the DOM focus once it is rendered; `event` is the panel, `event ID` is in the grid. */
  focusRequest: 'day' | 'form' | 'event' | `event ${string}` | undefined
  /** The time that the form for a new event suggests. */
  suggestedSpan: Span | undefined
  draft: Draft
  /** What a suggested visit has filled into the draft, which is not kept for another event. */
  filledIn: Draft
  /** The scheduled job that is being moved, and the wall time at which it is shown until it is dropped. */
  moving: Moving | undefined
}

interface Moving {
  readonly job: string
  readonly wall: number
  readonly by: 'drag' | 'keys'
}

export const calendar = proxy<Calendar>({
  view: undefined,
  date: undefined,
  minutes: 9 * 60,
  onlySelected: false,
  suggestions: true,
  openEvent: undefined,
  focusedEvent: undefined,
  focusRequest: undefined,
  suggestedSpan: undefined,
  draft: {},
  filledIn: {},
  moving: undefined,
})
persist('calendar', calendar, { view: isOneOf(calendarViews), onlySelected: isFlag, suggestions: isFlag })

/** Returns the view on screen. */
export const calendarView = (chosen = calendar.view): CalendarView =>
  chosen ?? (isNarrow('navigation') ? 'agenda' : 'month')

/** Resets what must not be shown to the next person who signs in. */
export const resetCalendar = (): void =>
  void Object.assign(calendar, {
    date: undefined,
    openEvent: undefined,
    focusedEvent: undefined,
    suggestedSpan: undefined,
    draft: {},
    filledIn: {},
    moving: undefined,
  })

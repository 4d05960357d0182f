/** What the calendar shows. */
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import type { Span } from '../domain/calendar/days.ts'
import { calendarViews, type CalendarView } from '../domain/calendar/views.ts'
import { isNarrow } from './layout.ts'
import { persist } from './persist.ts'

/** What was typed in the form of a new event, by field; nothing where it stands as it was offered. */
export type Draft = Readonly<Record<string, unknown>>

interface Calendar {
  /** Undefined until a person chooses one: then it is the one that the screen has room for. */
  view: CalendarView | undefined
  /** A day in what is shown, the focused one, `YYYY-MM-DD` on the viewer's calendar; undefined is today. */
  date: string | undefined
  /** The focused time of that day, minutes after midnight. */
  minutes: number
  /** Only events of the devices that are selected. */
  onlySelected: boolean
  /** The event whose information is shown, by its id. */
  open: string | undefined
  /** The event that has the keyboard's focus, by its id. */
  focused: string | undefined
  /** The element that receives the DOM focus once it is rendered; `event` is the panel, `event ID` is in the grid. */
  focusRequest: 'day' | 'form' | 'event' | `event ${string}` | undefined
  /** When a new event takes place, as its form offers it. */
  offered: Span | undefined
  draft: Draft
}

export const calendar = proxy<Calendar>({
  view: undefined,
  date: undefined,
  minutes: 9 * 60,
  onlySelected: false,
  open: undefined,
  focused: undefined,
  focusRequest: undefined,
  offered: undefined,
  draft: {},
})
persist('calendar', calendar, z.partial(z.object({ view: z.enum(calendarViews), onlySelected: z.boolean() })))

/** The view that is shown. */
export const calendarView = (chosen = calendar.view): CalendarView =>
  chosen ?? (isNarrow('navigation') ? 'agenda' : 'month')

/** What one person had open or typed is not for the next. */
export const forgetCalendar = (): void =>
  void Object.assign(calendar, { date: undefined, open: undefined, focused: undefined, offered: undefined, draft: {} })

/** What the calendar shows. */
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import { persist } from './persist.ts'

export const calendarViews = ['month', 'week', 'day', 'agenda'] as const
export type CalendarView = (typeof calendarViews)[number]

interface Calendar {
  view: CalendarView
  /** A day in what is shown, `YYYY-MM-DD` on the viewer's calendar; undefined is today. */
  date: string | undefined
  /** Only events of the devices that are selected. */
  onlySelected: boolean
  /** The event whose information is shown, by its id. */
  open: string | undefined
}

export const calendar = proxy<Calendar>({ view: 'month', date: undefined, onlySelected: false, open: undefined })
persist('calendar', calendar, z.partial(z.object({ view: z.enum(calendarViews), onlySelected: z.boolean() })))

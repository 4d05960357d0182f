/** The calendar: where it stands, and its events. */
import * as z from 'zod/mini'
import { events } from '../../api/contract/events.ts'
import { labelled } from '../../api/contract/fields.ts'
import {
  clampDay,
  calendarYears,
  inCalendar,
  newEventAt,
  adjacentDate,
  todayIn,
  type Day,
} from '../../domain/calendar/days.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { routes } from '../../domain/lists/routes.ts'
import { currentPath } from '../../store/address.ts'
import { calendar, calendarView } from '../../store/calendar.ts'
import { isNarrow, layout, setPanel } from '../../store/layout.ts'
import { signedInRole } from '../../store/session.ts'
import { onCalendar, selectedDevices, theEvent } from './needs.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import { deviceChoices, NewEvent } from './newEvent.ts'

const GoToDay = z.iso
  .date({ error: 'must be a day such as 2026-03-29', abort: true })
  .check(z.refine(inCalendar, `must be in the years ${calendarYears.first} to ${calendarYears.last}`))

/** The day of an ISO time, if the calendar goes there. */
const dayOf = (time: string): Day => clampDay(todayIn(systemTimeZone(), Date.parse(time)))
const today = (): Day => todayIn(systemTimeZone(), Date.now())
/** The focused time of the day, minutes after midnight; undefined where days alone can be in focus. */
const focusedMinutes = (): number | undefined =>
  ['week', 'day'].includes(calendarView()) ? calendar.minutes : undefined
const shownDay = (): Day => calendar.date ?? today()

function showPanel(tab: 'info' | 'create'): void {
  layout.panelTab = tab
  setPanel(true)
}

/** Shows the form of a new event with the time in it. What was typed for another time gives way to that. */
function beginEvent(day: Day, minutes: number | undefined, go: (path: string) => void): void {
  const { start: _start, end: _end, ...typed } = calendar.draft
  Object.assign(calendar, { offered: newEventAt(systemTimeZone(), day, minutes), draft: typed, focusRequest: 'form' })
  showPanel('create')
  if (currentPath() !== routes.calendar.path) go(routes.calendar.path)
}

const here = { group: 'insight', place: 'calendar', roles: deviceRoles, needs: onCalendar } as const

const views = [
  { view: 'month', title: 'Month', keys: 'm', icon: 'calendar' },
  { view: 'week', title: 'Week', keys: 'w', icon: 'columns' },
  { view: 'day', title: 'Day', keys: 'd', icon: 'today' },
  { view: 'agenda', title: 'Agenda', keys: 'a', icon: 'agenda' },
] as const

const step = (by: 1 | -1) => () => void (calendar.date = adjacentDate(calendarView(), shownDay(), by))

export const calendarCommands = [
  defineCommand({
    ...here,
    id: 'calendar.previous',
    title: 'Previous',
    icon: 'left',
    keys: '[',
    keywords: ['calendar', 'back', 'earlier'],
    on: ['calendarTime', 'status'],
    short: 'previous',
    run: step(-1),
  }),
  defineCommand({
    ...here,
    id: 'calendar.current',
    title: 'Current',
    icon: 'today',
    keys: 'shift+t',
    keywords: ['calendar', 'today', 'now'],
    on: ['calendarTime', 'status'],
    short: 'today',
    run: () => void (calendar.date = undefined),
  }),
  defineCommand({
    ...here,
    id: 'calendar.next',
    title: 'Next',
    icon: 'right',
    keys: ']',
    keywords: ['calendar', 'forward', 'later'],
    on: ['calendarTime', 'status'],
    short: 'next',
    run: step(1),
  }),
  ...views.map(({ view, title, keys, icon }) =>
    defineCommand({
      ...here,
      id: `calendar.${view}`,
      title,
      icon,
      keys,
      keywords: ['calendar', 'view'],
      on: ['calendarViews'],
      run: () => void (calendar.view = view),
    }),
  ),
  defineCommand({
    ...here,
    id: 'calendar.goTo',
    title: 'Go to a day',
    icon: 'search',
    keys: 'shift+g',
    keywords: ['calendar', 'date', 'jump'],
    args: z.object({ day: labelled(GoToDay, { label: 'Day' }) }),
    run: (_, { day }) => void (calendar.date = day),
  }),
  defineCommand({
    ...here,
    id: 'calendar.onlySelected',
    title: 'Only events of the selected devices',
    icon: 'filter',
    keys: 'o',
    keywords: ['calendar', 'filter'],
    run: () => void (calendar.onlySelected = !calendar.onlySelected),
  }),
  defineCommand({
    id: 'calendar.new',
    title: 'New event',
    group: 'insight',
    icon: 'plus',
    keys: 'c',
    place: 'calendar',
    keywords: ['calendar', 'create', 'add', 'form'],
    on: ['calendar', 'status'],
    short: 'new event',
    endpoint: events.create,
    needs: nothing,
    run: (_, __, { go }) => beginEvent(shownDay(), focusedMinutes(), go),
  }),
  defineCommand({
    id: 'calendar.newAt',
    title: 'New event at a time',
    group: 'insight',
    keysOnly: true,
    endpoint: events.create,
    needs: nothing,
    // Minutes after midnight; without, at a time of day that suits most.
    args: z.object({ day: z.string(), minutes: z.optional(z.number()) }),
    run: (_, { day, minutes }, { go }) => beginEvent(day, minutes, go),
  }),
  defineCommand({
    id: 'calendar.create',
    title: 'Create event',
    group: 'create',
    icon: 'calendar',
    keywords: ['calendar', 'new', 'add', 'plan', 'appointment'],
    endpoint: events.create,
    needs: selectedDevices,
    args: NewEvent,
    choices: { devices: deviceChoices },
    async run(selected, { devices: chosen, ...event }, { call }) {
      const ids = chosen ?? selected.map(device => device.id)
      await call(events.create, { body: { ...event, devices: [...new Set(ids)] } })
      // Where it can be seen.
      calendar.date = dayOf(event.start)
      closeOverlay()
      return `Created ${event.title}`
    },
    doing: 'Creating',
  }),
  defineCommand({
    id: 'calendar.open',
    title: 'Show an event',
    group: 'insight',
    keysOnly: true,
    endpoint: events.list,
    needs: nothing,
    // Of an event that is not on screen, when it is: an ISO time.
    args: z.object({ event: z.string(), at: z.optional(z.string()) }),
    run(_, { event, at }, { go }) {
      // The focus goes to what is known of it.
      Object.assign(calendar, { open: event, focused: undefined })
      if (at !== undefined) calendar.date = dayOf(at)
      calendar.focusRequest = 'event'
      showPanel('info')
      if (currentPath() !== routes.calendar.path) go(routes.calendar.path)
    },
  }),
  defineCommand({
    id: 'calendar.delete',
    title: 'Delete the event',
    group: 'control',
    icon: 'trash',
    keys: ['Backspace', 'Delete'],
    place: 'calendar',
    keywords: ['calendar', 'remove'],
    on: ['event'],
    danger: true,
    endpoint: events.delete,
    needs: theEvent,
    confirm: event => ({
      title: `Delete ${event.title}?`,
      text:
        signedInRole() === 'vendor'
          ? 'Others whose devices it concerns keep it. This can’t be undone.'
          : 'It goes from the calendar of everyone who sees it. This can’t be undone.',
      action: 'Delete the event',
      type: undefined,
      danger: true,
    }),
    async run(event, _, { call }) {
      await call(events.delete, { params: { id: event._id } })
      if (calendar.open === event._id) calendar.open = undefined
      calendar.date = dayOf(event.start)
      calendar.focusRequest = 'day'
      return `Deleted ${event.title}`
    },
  }),
  defineCommand({
    ...here,
    id: 'calendar.escape',
    title: 'Close the event',
    keys: 'Escape',
    keysOnly: true,
    run() {
      calendar.focusRequest = calendar.open === undefined ? 'day' : `event ${calendar.open}`
      calendar.open = undefined
      closeOverlay()
    },
  }),
]

/** A panel that lies over the calendar hides what one goes back to. */
function closeOverlay(): void {
  if (isNarrow('panel')) setPanel(false)
}

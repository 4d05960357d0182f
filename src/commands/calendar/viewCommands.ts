/** Commands of the visible period and of what the calendar shows. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { adjacentDate, calendarYears, inCalendar, todayIn, type Day } from '../../domain/calendar/days.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { calendar, calendarView } from '../../store/calendar.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { onCalendar } from './needs.ts'

const GoToDay = z.iso
  .date({ error: 'must be a day such as 2026-03-29', abort: true })
  .check(z.refine(inCalendar, `must be in the years ${calendarYears.first} to ${calendarYears.last}`))

/** Returns the day whose period is shown: today until another one is chosen. */
export const shownDay = (): Day => calendar.date ?? todayIn(systemTimeZone(), Date.now())

/** What commands have in common that are available while the calendar is shown. */
export const calendarCommand = { group: 'insight', screen: 'calendar', roles: deviceRoles, needs: onCalendar } as const

const views = [
  { view: 'month', title: 'Month', keys: 'm', icon: 'calendar' },
  { view: 'week', title: 'Week', keys: 'w', icon: 'columns' },
  { view: 'day', title: 'Day', keys: 'd', icon: 'today' },
  { view: 'agenda', title: 'Agenda', keys: 'a', icon: 'agenda' },
] as const

const step = (by: 1 | -1) => () => void (calendar.date = adjacentDate(calendarView(), shownDay(), by))

export const calendarViewCommands = [
  defineCommand({
    ...calendarCommand,
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
    ...calendarCommand,
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
    ...calendarCommand,
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
      ...calendarCommand,
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
    ...calendarCommand,
    id: 'calendar.goTo',
    title: 'Go to day',
    icon: 'search',
    keys: 'shift+g',
    keywords: ['calendar', 'date', 'jump'],
    args: z.object({ day: withMeta(GoToDay, { label: 'Day' }) }),
    run: (_, { day }) => void (calendar.date = day),
  }),
  defineCommand({
    ...calendarCommand,
    id: 'calendar.onlySelected',
    title: 'Show only events of selected devices',
    icon: 'filter',
    keys: 'o',
    keywords: ['calendar', 'filter'],
    on: ['calendarFilters'],
    run: () => void (calendar.onlySelected = !calendar.onlySelected),
  }),
  defineCommand({
    ...calendarCommand,
    id: 'calendar.suggestions',
    title: 'Show or hide suggested replacements',
    icon: 'cartridge',
    keys: 'shift+s',
    keywords: ['calendar', 'suggestions', 'plan', 'visits', 'due', 'cartridges'],
    on: ['calendarFilters'],
    run: () => void (calendar.suggestions = !calendar.suggestions),
  }),
]

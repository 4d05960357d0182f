/** Commands of the calendar: those of its view, and those of events. */
import * as z from 'zod/mini'
import { events } from '../../api/contract/events.ts'
import type { Progress } from '../../api/readMatches.ts'
import { clampDay, newEventAt, todayIn, type Day } from '../../domain/calendar/days.ts'
import type { Visit } from '../../domain/calendar/visits.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { routes } from '../../domain/lists/routes.ts'
import { currentPath } from '../../store/address.ts'
import { calendar, calendarView, type Draft } from '../../store/calendar.ts'
import { closePanelDrawer, layout, setPanel } from '../../store/layout.ts'
import { isPlaceholder, type DeviceItem } from '../../store/selection.ts'
import { signedInRole } from '../../store/session.ts'
import { goToJob } from '../jobs/moves.ts'
import { jobOfEvent } from './jobEvents.ts'
import { someDevicesOfEvent, currentEvent } from './needs.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import { materializeSelection } from '../selection/materialize.ts'
import { moveJobCommands } from './moveJob.ts'
import { draftOf, suggestedVisit } from './suggestions.ts'
import { deviceChoices, NewEvent } from './newEvent.ts'
import { calendarCommand, calendarViewCommands, shownDay } from './viewCommands.ts'

/** Returns the day of an ISO time, clamped to the calendar's years. */
const dayOf = (time: string): Day => clampDay(todayIn(systemTimeZone(), Date.parse(time)))
/** Returns the focused time in minutes after midnight; undefined in views where only days can have focus. */
const focusedMinutes = (): number | undefined =>
  ['week', 'day'].includes(calendarView()) ? calendar.minutes : undefined

/** Shows the panel of the open screen. */
function showPanel(tab: 'info' | 'create'): void {
  layout.panelTab = tab
  setPanel(true)
}

/** Returns the fields of the draft that a person has typed, without the times. */
function typedFields(): Draft {
  const { start: _start, end: _end, ...fields } = calendar.draft
  const textOf = (value: unknown) => JSON.stringify(value)
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => textOf(value) !== textOf(calendar.filledIn[name])),
  )
}

/** Opens the form for a new event with this time, which replaces a time typed before. Other typed fields are kept. */
function openEventForm(day: Day, minutes: number | undefined, go: (path: string) => void): void {
  Object.assign(calendar, {
    suggestedSpan: newEventAt(systemTimeZone(), day, minutes),
    draft: typedFields(),
    filledIn: {},
    focusRequest: 'form',
  })
  if (currentPath() !== routes.calendar.path) go(routes.calendar.path)
  showPanel('create')
}

/** Opens the form for a new event with what is suggested for a visit, which replaces what was typed before. */
function openVisitForm(visit: Visit): void {
  const filledIn = draftOf(visit)
  Object.assign(calendar, {
    suggestedSpan: { start: visit.at, end: visit.until },
    draft: filledIn,
    filledIn,
    focusRequest: 'form',
  })
  showPanel('create')
}

export const calendarCommands = [
  ...calendarViewCommands,
  defineCommand({
    id: 'calendar.new',
    title: 'New event',
    group: 'insight',
    icon: 'plus',
    keys: 'c',
    screen: 'calendar',
    keywords: ['calendar', 'create', 'add', 'form'],
    on: ['calendar', 'status'],
    short: 'new event',
    endpoint: events.create,
    needs: nothing,
    run: (_, __, { go }) => openEventForm(shownDay(), focusedMinutes(), go),
  }),
  defineCommand({
    id: 'calendar.newAt',
    title: 'New event at time',
    group: 'insight',
    keysOnly: true,
    endpoint: events.create,
    needs: nothing,
    // `minutes` after midnight; without them, the form offers a default time.
    args: z.object({ day: z.string(), minutes: z.optional(z.number()) }),
    run: (_, { day, minutes }, { go }) => openEventForm(day, minutes, go),
  }),
  defineCommand({
    id: 'calendar.create',
    title: 'Create event',
    selection: 'reads',
    group: 'create',
    icon: 'calendar',
    keywords: ['calendar', 'new', 'add', 'plan', 'appointment'],
    endpoint: events.create,
    needs: someDevicesOfEvent,
    args: NewEvent,
    choices: { devices: deviceChoices },
    async run(targets, { devices: chosen, ...event }, services) {
      const selected = chosen ? targets : await readTargets(targets, services.progress)
      const ids = [...new Set(chosen ?? selected.map(device => device.id))]
      const { _id } = await services.call(events.create, { body: { ...event, devices: ids } })
      // Shows the day of the new event.
      calendar.date = dayOf(event.start)
      closePanelDrawer()
      const message = `Created ${event.title}`
      const { recordCreated } = await import('./createdEvent.ts')
      const devices = chosen ? ids.map(id => itemNamed(id, selected)) : selected
      return { message, before: [], job: recordCreated({ ...event, event: _id }, devices, message, services) }
    },
    progressTitle: 'Creating',
  }),
  defineCommand({
    id: 'calendar.open',
    title: 'Show event',
    group: 'insight',
    keysOnly: true,
    endpoint: events.list,
    needs: nothing,
    // `at` is the ISO time of an event that is not on screen.
    args: z.object({ event: z.string(), at: z.optional(z.string()) }),
    run(_, { event, at }, { go }) {
      const job = jobOfEvent(event)
      if (job !== undefined) {
        goToJob(job)
        return go(routes.jobs.path)
      }
      const visit = suggestedVisit(event, calendarView(), shownDay(), systemTimeZone())
      if (visit) return openVisitForm(visit)
      // The focus moves to the event's details in the panel.
      Object.assign(calendar, { openEvent: event, focusedEvent: undefined })
      if (at !== undefined) calendar.date = dayOf(at)
      calendar.focusRequest = 'event'
      if (currentPath() !== routes.calendar.path) go(routes.calendar.path)
      showPanel('info')
    },
  }),
  defineCommand({
    id: 'calendar.delete',
    title: 'Delete event',
    group: 'control',
    icon: 'trash',
    keys: ['Backspace', 'Delete'],
    screen: 'calendar',
    keywords: ['calendar', 'remove'],
    on: ['event'],
    danger: true,
    endpoint: events.delete,
    needs: currentEvent,
    confirm: event => ({
      title: `Delete ${event.title}?`,
      text:
        signedInRole() === 'vendor'
          ? 'Others keep the event if it includes their devices. This can’t be undone.'
          : 'The event is deleted for everyone who can see it. This can’t be undone.',
      action: 'Delete event',
      type: undefined,
      danger: true,
    }),
    async run(event, _, { call }) {
      await call(events.delete, { params: { id: event._id } })
      if (calendar.openEvent === event._id) calendar.openEvent = undefined
      // The agenda begins with the shown day, so it stays where it is.
      if (calendarView() !== 'agenda') calendar.date = dayOf(event.start)
      calendar.focusRequest = 'day'
      return `Deleted ${event.title}`
    },
  }),
  defineCommand({
    ...calendarCommand,
    id: 'calendar.escape',
    title: 'Close event',
    keys: 'Escape',
    keysOnly: true,
    run() {
      calendar.focusRequest = calendar.openEvent === undefined ? 'day' : `event ${calendar.openEvent}`
      calendar.openEvent = undefined
      closePanelDrawer()
    },
  }),
  ...moveJobCommands,
]

/** Returns the targets; of a followed selection its current matches, which are selected from then on. */
const readTargets = async (targets: readonly DeviceItem[], progress: Progress): Promise<readonly DeviceItem[]> =>
  targets.some(isPlaceholder) ? ((await materializeSelection('devices', progress)) as readonly DeviceItem[]) : targets

/** Returns a device by its id, which the form names. */
const itemNamed = (id: string, known: readonly DeviceItem[]): DeviceItem =>
  known.find(device => device.id === id) ?? { id, name: id, vendor: '', company: '', status: 0, platform: '' }

import '@schedule-x/theme-default/dist/index.css'
import './calendar.css'
import { batch } from '@preact/signals'
import { createCalendar, createViewDay, createViewMonthGrid, createViewWeek } from '@schedule-x/calendar'
import { createCalendarControlsPlugin } from '@schedule-x/calendar-controls'
import { ScheduleXCalendar } from '@schedule-x/react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import { jobEventId } from '../../commands/calendar/jobEvents.ts'
import { movableJob } from '../../commands/calendar/moveJob.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import {
  dayAt,
  daysBetween,
  monthStart,
  visibleDays,
  slotMinutes,
  wallOf,
  type Day,
} from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { hasTwelveHours, languageAndRegion } from '../../domain/dates.ts'
import { viewTitle } from '../../domain/calendar/texts.ts'
import { calendar } from '../../store/calendar.ts'
import { isNarrow } from '../../store/layout.ts'
import { useSelection } from '../../store/selection.ts'
import { toLibraryEvents, piecesOf, plainDay, sortInMonth, type Piece } from './libraryEvents.ts'
import { eventsByDay, labelGrid } from './gridLabels.ts'
import { focusInGrid, restoreFocus, keyInGrid } from './gridKeys.ts'
import { keyWhileMoving, pressInGrid } from './dragJob.ts'
import { MovingNote } from './MovingNote.tsx'
import { TimeSlots } from './TimeSlots.tsx'
import { msPerDay, msPerMinute } from '../../domain/time.ts'
import { wallTime } from '../../domain/zone.ts'

interface Props {
  view: Exclude<CalendarView, 'agenda'>
  date: Day
  minutes: number
  events: readonly Event[]
  zone: string
  today: Day
  now: number
}

const libraryViews = { month: 'month-grid', week: 'week', day: 'day' } as const
/** The height of an hour in pixels. */
const hourHeight = 44
/** Heights of the parts of a month view in pixels. */
const month = { names: 16, header: 30, event: 22, more: 22 }
/** On narrow screens, where events are targets for fingers. */
const narrowMonth = { ...month, event: 26, more: 26 }

/** Hides the library's toolbar; the screen has its own. */
const parts = { headerContent: () => null }

function makeCalendar(view: Props['view'], date: Day) {
  const controls = createCalendarControlsPlugin()
  const app = createCalendar(
    {
      views: [createViewMonthGrid(), createViewWeek(), createViewDay()],
      defaultView: libraryViews[view],
      selectedDate: plainDay(date),
      locale: languageAndRegion(),
      // Keys are the library's texts; texts without a translation stay as they are.
      translations: {
        [languageAndRegion().replace('-', '')]: { '+ 1 event': '+1 more', '+ {{n}} events': '+{{n}} more' },
      },
      // See `libraryEvents.ts`: the library receives wall times as if they were UTC.
      timezone: 'UTC',
      isResponsive: false,
      skipAnimations: true,
      skipValidation: true,
      monthGridOptions: { nEventsPerDay: 4, sortEvents: sortInMonth },
      weekOptions: {
        gridHeight: 24 * hourHeight,
        eventWidth: 97,
        eventOverlap: false,
        timeAxisFormatOptions: hasTwelveHours()
          ? { hour: 'numeric', hourCycle: 'h12' }
          : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      },
      callbacks: {
        onEventClick: event => void run('calendar.open', { input: { event: String(event.id) } }),
        onClickDate: day => void run('calendar.newAt', { input: { day: day.toString() } }),
        onClickDateTime(time) {
          const day = dayAt(time.epochMilliseconds)
          const minutesOfDay = (time.epochMilliseconds - wallOf(day)) / msPerMinute
          const minutes = Math.floor(minutesOfDay / slotMinutes) * slotMinutes
          void run('calendar.newAt', { input: { day, minutes } })
        },
        onClickPlusEvents(day) {
          calendar.date = day.toString()
          calendar.focusRequest = 'day'
          void run('calendar.day')
        },
      },
    },
    [controls],
  )
  return { app, controls }
}

/** A month, week or day rendered by the library, with accessible names, keyboard navigation and slots added. */
export function EventGrid(props: Props) {
  const { view, date, events, zone, today, now } = props
  const [{ app, controls }] = useState(() => makeCalendar(view, date))
  // Read so that the component renders when a focus request is set.
  const { focusRequest, moving } = useSnapshot(calendar)
  const moved = moving && jobEventId(moving.job)
  const selected = useSelection('devices')
  const root = useRef<HTMLDivElement>(null)
  const lastFocused = useRef<{ element: HTMLElement; event: string | undefined }>(undefined)
  const lastEvent = useRef<string>(undefined)
  // The container of the time slots, which the library creates again with each view.
  const [timeGrid, setTimeGrid] = useState<Element | null>(null)

  // Days of the same month or week share one rendered view.
  const { first, end } = visibleDays(view, date)
  const anchor = view === 'month' ? monthStart(date) : first
  const pieces = useMemo(() => piecesOf(events, view, zone, moved), [events, view, zone, moved])
  useLayoutEffect(
    () =>
      // Batched, so that the library lays out once.
      batch(() => {
        controls.setDate(plainDay(anchor))
        if (controls.getView() !== libraryViews[view]) controls.setView(libraryViews[view])
        app.events.set(toLibraryEvents(pieces, view))
      }),
    [app, controls, view, anchor, pieces],
  )

  const byId = useMemo(() => new Map(events.map(event => [event._id, event])), [events])
  const byDay = useMemo(() => eventsByDay(events, zone, { first, end }), [events, zone, first, end])
  const label = () => {
    if (!root.current) return
    labelGrid(root.current, {
      view,
      title: viewTitle(view, date),
      date,
      today,
      zone,
      events: byId,
      byDay,
      focused: lastEvent.current,
      moved,
      isMovable: event => movableJob(event) !== undefined,
      colourOf: event => event.devices.map(selected.colourOf).find(Boolean) ?? 'var(--accent)',
    })
    setTimeGrid(root.current.querySelector('.sx__week-grid'))
    if (focusInGrid(root.current, calendar.focusRequest)) calendar.focusRequest = undefined
    else restoreFocus(root.current, lastFocused.current?.element, lastFocused.current?.event)
  }
  const latest = useRef(label)
  useLayoutEffect(() => {
    latest.current = label
    label()
  })
  useEffect(() => {
    const element = root.current
    if (!element) return undefined
    // Observes the library's changes; of the attributes only those that are not set here.
    const observer = new MutationObserver(() => latest.current())
    const attributeFilter = ['data-event-id', 'data-date', 'data-time-grid-date']
    observer.observe(element, { childList: true, characterData: true, subtree: true, attributeFilter })
    return () => observer.disconnect()
  }, [])

  // Removing an element that contains the focus fires no `blur`.
  useEffect(() => () => void Object.assign(calendar, { focusedEvent: undefined, moving: undefined }), [])
  useEventsPerDay(root, controls, daysBetween(first, end, first, end).length / 7)
  useInitialScroll(root, timeGrid, firstHour(pieces, today >= first && today < end ? wallTime(zone, now) : undefined))

  return (
    <div
      ref={root}
      role="group"
      // Commands for a press on a scheduled job; events name their own.
      data-command={commandOf('calendar.jobLater').id}
      aria-label={viewTitle(view, date)}
      className="calendar-grid relative min-h-0 flex-1"
      data-view={view}
      data-focus-request={focusRequest}
      data-dragging={moving?.by === 'drag' || undefined}
      onPointerDown={event => pressInGrid(event.nativeEvent, event.currentTarget)}
      // Before the library, which opens an event with Enter.
      onKeyDownCapture={event => {
        if (!keyWhileMoving(event.key)) return
        event.preventDefault()
        event.stopPropagation()
      }}
      onKeyDown={event => keyInGrid(event, view, date, day => byDay.get(day)?.map(one => one._id) ?? [])}
      onFocus={({ target }) => {
        const event = target.dataset.eventId
        lastFocused.current = { element: target, event }
        lastEvent.current = event ?? lastEvent.current
        calendar.focusedEvent = event
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget) lastFocused.current = undefined
        // A focus elsewhere on the page ends the move of a job.
        if (relatedTarget && !root.current?.contains(relatedTarget)) calendar.moving = undefined
        // A dialog's command acts on the event that was focused when it opened.
        if (!relatedTarget?.closest('[role=dialog], [role=alertdialog]')) calendar.focusedEvent = undefined
      }}
    >
      <ScheduleXCalendar calendarApp={app} customComponents={parts} />
      <MovingNote events={byId} zone={zone} now={now} />
      {timeGrid && view !== 'month' && createPortal(<TimeSlots {...props} pieces={pieces} />, timeGrid)}
    </div>
  )
}

/** Limits the events of a day in the month view to the available height; the library counts the rest. */
function useEventsPerDay(
  root: React.RefObject<HTMLDivElement | null>,
  controls: ReturnType<typeof createCalendarControlsPlugin>,
  weeks: number,
): void {
  useLayoutEffect(() => {
    const element = root.current
    if (!element) return undefined
    const fit = () => {
      const { names, header, event, more } = isNarrow('navigation') ? narrowMonth : month
      const room = (element.clientHeight - names) / weeks - header - more
      const nEventsPerDay = Math.max(1, Math.floor(room / event))
      if (controls.getMonthGridOptions().nEventsPerDay !== nEventsPerDay)
        controls.setMonthGridOptions({ nEventsPerDay, sortEvents: sortInMonth })
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => observer.disconnect()
  }, [root, controls, weeks])
}

/** Returns the hour at which a week or day begins on screen: 7, or earlier for an event or the wall time of the present. */
function firstHour(pieces: readonly Piece[], now: number | undefined): number {
  const minuteOf = (wall: number) => (wall - wallOf(dayAt(wall))) / msPerMinute
  const starts = pieces.filter(({ from, to }) => to - from < msPerDay).map(({ from }) => minuteOf(from))
  const minutes = Math.min(7 * 60, ...starts, ...(now === undefined ? [] : [minuteOf(now) - 60]))
  return Math.max(0, Math.floor(minutes / 60))
}

/** Scrolls a week or day to an hour when it is first shown, and when the hour changes before the person scrolls. */
function useInitialScroll(root: React.RefObject<HTMLDivElement | null>, timeGrid: Element | null, hour: number): void {
  const scrolled = useRef<{ grid: Element; top: number }>(undefined)
  useLayoutEffect(() => {
    const container = root.current?.querySelector('.sx__view-container')
    if (!timeGrid || !container) return
    if (scrolled.current?.grid === timeGrid && scrolled.current.top !== container.scrollTop) return
    container.scrollTo({ top: Math.max(0, hour * hourHeight - 8) })
    scrolled.current = { grid: timeGrid, top: container.scrollTop }
  }, [root, timeGrid, hour])
}

/** Keyboard navigation in the library's views: between days, and into and out of a day's events. */
import type { KeyboardEvent } from 'react'
import { run } from '../../commands/surfaces/run/run.ts'
import { addDays, addMonths, clampDay, weekStart, type Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { calendar } from '../../store/calendar.ts'

/** Returns the day that a key moves to; undefined for other keys. */
export function dayByKey(key: string, date: Day): Day | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1)
    case 'ArrowRight':
      return addDays(date, 1)
    case 'ArrowUp':
      return addDays(date, -7)
    case 'ArrowDown':
      return addDays(date, 7)
    case 'Home':
      return weekStart(date)
    case 'End':
      return addDays(weekStart(date), 6)
    case 'PageUp':
      return addMonths(date, -1)
    case 'PageDown':
      return addMonths(date, 1)
    default:
      return undefined
  }
}

/** Moves the focus to a day, limited to the calendar's range. The day may have to be rendered first. */
export function goToDay(date: Day, minutes = calendar.minutes): void {
  Object.assign(calendar, { date: clampDay(date), minutes, focusRequest: 'day' })
}

/** Focuses the requested element. Returns whether it exists. */
export function focusInGrid(root: Element, focusRequest: typeof calendar.focusRequest): boolean {
  if (focusRequest === undefined || focusRequest === 'form' || focusRequest === 'event') return false
  const event =
    focusRequest === 'day'
      ? null
      : root.querySelector<HTMLElement>(`[data-event-id="${focusRequest.slice('event '.length)}"]`)
  // The day that it moves to may not have loaded yet.
  if (event === null && calendar.moving && focusRequest !== 'day') return false
  const day = root.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')
  const target = event ?? day
  target?.focus()
  return target !== null
}

/**
 * Restores the focus after the library has rendered, which removes elements or reuses them for other events. `last`: the
 * element that had the focus; `lastEvent`: the event that it showed.
 */
export function restoreFocus(root: Element, last: HTMLElement | undefined, lastEvent: string | undefined): void {
  if (!last) return
  const lost = !last.isConnected && document.activeElement === document.body
  const changed = document.activeElement === last && last.dataset.eventId !== lastEvent
  if (!lost && !changed) return
  const event = lastEvent === undefined ? null : root.querySelector<HTMLElement>(`[data-event-id="${lastEvent}"]`)
  const day = root.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')
  ;(event ?? day)?.focus({ preventScroll: true })
}

const hasModifier = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey

/** Handles a key in the grid. `eventIdsOf` returns the ids of a day's events, earliest first. */
export function keyInGrid(
  event: KeyboardEvent<HTMLElement>,
  view: CalendarView,
  date: Day,
  eventIdsOf: (day: Day) => readonly string[],
): void {
  if (hasModifier(event) || !(event.target instanceof HTMLElement)) return
  const handled = event.target.closest('.sx__month-grid-day')
    ? keyInMonth(event.key, event.target, eventIdsOf)
    : event.target.matches('.sx__event') && keyOnEvent(event.key, event.target, event.currentTarget, view, date)
  if (!handled) return
  event.preventDefault()
  event.stopPropagation()
}

/** Returns the focusable elements of a day, from top to bottom. */
const inDay = (cell: HTMLElement) => [
  ...cell.querySelectorAll<HTMLElement>('.sx__event, .sx__month-grid-day__events-more'),
]

/** Returns the elements of a day's events. An event that started earlier is rendered in another cell of the week. */
const coveredBy = (cell: HTMLElement, events: readonly string[]) =>
  events.flatMap(id => cell.parentElement?.querySelector<HTMLElement>(`[data-event-id="${id}"]`) ?? [])

function keyInMonth(key: string, target: HTMLElement, eventIdsOf: (day: Day) => readonly string[]): boolean {
  const cell = target.closest<HTMLElement>('.sx__month-grid-day')
  const date = cell?.dataset.date
  if (!cell || date === undefined) return false
  const inside = inDay(cell)
  const index = inside.indexOf(target)
  if (index >= 0) {
    if (key === 'Escape') return focusElement(cell)
    if (key === 'ArrowDown' || key === 'ArrowUp')
      return focusElement(inside[index + (key === 'ArrowDown' ? 1 : -1)] ?? cell)
  } else if (key === 'Enter') {
    activateDay(date, [...coveredBy(cell, eventIdsOf(date)), ...inside.filter(one => one.matches('button'))])
    return true
  }
  // The previous key's target day may not be rendered yet.
  const from = calendar.focusRequest === 'day' ? (calendar.date ?? date) : date
  const to = dayByKey(key, from)
  if (to !== undefined) goToDay(to)
  return to !== undefined
}

/** Handles Enter on a day or slot: enters its events, opens the only event, or creates a new one. */
export function activateDay(day: Day, events: readonly HTMLElement[], minutes?: number): void {
  const [first, ...more] = events
  if (!first) void run('calendar.newAt', { input: { day, ...(minutes !== undefined && { minutes }) } })
  else if (more.length > 0) first.focus()
  else first.click()
}

function focusElement(element: HTMLElement): true {
  element.focus()
  return true
}

const directions: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** Handles a key on an event in a week or day, whose events form one group in order of time. */
function keyOnEvent(key: string, target: HTMLElement, root: HTMLElement, view: CalendarView, date: Day): boolean {
  if (view === 'month') return false
  if (key === 'Escape') {
    const column = target.closest<HTMLElement>('[data-time-grid-date]')
    goToDay(column?.dataset.timeGridDate ?? date)
    return true
  }
  const elements = [...root.querySelectorAll<HTMLElement>('.sx__event')]
  const index = elements.indexOf(target)
  const by = directions[key]
  const next = key === 'Home' ? elements[0] : key === 'End' ? elements.at(-1) : by && elements[index + by]
  return next ? focusElement(next) : by !== undefined
}

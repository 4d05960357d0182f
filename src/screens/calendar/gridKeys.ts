/** The keyboard in what the library draws: from day to day, into a day's events and out of them. */
import type { KeyboardEvent } from 'react'
import { run } from '../../commands/surfaces/run/run.ts'
import { addDays, addMonths, clampDay, weekStart, type Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { calendar } from '../../store/calendar.ts'

/** Which day a key goes to from another; undefined for keys that go nowhere. */
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

/** Moves the focus to a day, which may have to be drawn first; or to the calendar's last, where it ends before that. */
export function goToDay(date: Day, minutes = calendar.minutes): void {
  Object.assign(calendar, { date: clampDay(date), minutes, grab: 'day' })
}

/** Gives the focus to what is to have it, if it is there. Tells whether it was. */
export function focusInGrid(root: Element, grab: typeof calendar.grab): boolean {
  if (grab === undefined || grab === 'form' || grab === 'event') return false
  const event =
    grab === 'day' ? null : root.querySelector<HTMLElement>(`[data-event-id="${grab.slice('event '.length)}"]`)
  const day = root.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')
  const target = event ?? day
  target?.focus()
  return target !== null
}

/**
 * Keeps the focus where it is while the library draws anew: it takes elements away, or lets them show another event.
 * `last` had the focus, and showed the event `lastEvent` or none.
 */
export function keepFocus(root: Element, last: HTMLElement | undefined, lastEvent: string | undefined): void {
  if (!last) return
  const lost = !last.isConnected && document.activeElement === document.body
  const changed = document.activeElement === last && last.dataset.eventId !== lastEvent
  if (!lost && !changed) return
  const event = lastEvent === undefined ? null : root.querySelector<HTMLElement>(`[data-event-id="${lastEvent}"]`)
  const day = root.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')
  ;(event ?? day)?.focus({ preventScroll: true })
}

const modified = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey

/** `ofDay` names the events of a day, the earliest first. */
export function keyInGrid(
  event: KeyboardEvent<HTMLElement>,
  view: CalendarView,
  date: Day,
  ofDay: (day: Day) => readonly string[],
): void {
  if (modified(event) || !(event.target instanceof HTMLElement)) return
  const taken = event.target.closest('.sx__month-grid-day')
    ? keyInMonth(event.key, event.target, ofDay)
    : event.target.matches('.sx__event') && keyOnEvent(event.key, event.target, event.currentTarget, view, date)
  if (!taken) return
  event.preventDefault()
  event.stopPropagation()
}

/** Those of a day that can have the focus, from the top. */
const inDay = (cell: HTMLElement) => [
  ...cell.querySelectorAll<HTMLElement>('.sx__event, .sx__month-grid-day__events-more'),
]

/** Those of a day's events that are drawn: one that began before is drawn in another cell of the week. */
const coveredBy = (cell: HTMLElement, events: readonly string[]) =>
  events.flatMap(id => cell.parentElement?.querySelector<HTMLElement>(`[data-event-id="${id}"]`) ?? [])

function keyInMonth(key: string, target: HTMLElement, ofDay: (day: Day) => readonly string[]): boolean {
  const cell = target.closest<HTMLElement>('.sx__month-grid-day')
  const date = cell?.dataset.date
  if (!cell || date === undefined) return false
  const inside = inDay(cell)
  const at = inside.indexOf(target)
  if (at >= 0) {
    if (key === 'Escape') return focused(cell)
    if (key === 'ArrowDown' || key === 'ArrowUp') return focused(inside[at + (key === 'ArrowDown' ? 1 : -1)] ?? cell)
  } else if (key === 'Enter') {
    enter(date, [...coveredBy(cell, ofDay(date)), ...inside.filter(one => one.matches('button'))])
    return true
  }
  // A key that comes before the day it goes on from has been drawn.
  const from = calendar.grab === 'day' ? (calendar.date ?? date) : date
  const to = dayByKey(key, from)
  if (to !== undefined) goToDay(to)
  return to !== undefined
}

/** What Enter does at a day or a slot: into its events, or where there is but one, to that; else a new one begins. */
export function enter(day: Day, events: readonly HTMLElement[], minutes?: number): void {
  const [first, ...more] = events
  if (!first) void run('calendar.newAt', { input: { day, ...(minutes !== undefined && { minutes }) } })
  else if (more.length > 0) first.focus()
  else first.click()
}

function focused(element: HTMLElement): true {
  element.focus()
  return true
}

const ways: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** Where days stand beside each other their events are one group, gone through in the order of time. */
function keyOnEvent(key: string, target: HTMLElement, root: HTMLElement, view: CalendarView, date: Day): boolean {
  if (view === 'month') return false
  if (key === 'Escape') {
    const column = target.closest<HTMLElement>('[data-time-grid-date]')
    goToDay(column?.dataset.timeGridDate ?? date)
    return true
  }
  const elements = [...root.querySelectorAll<HTMLElement>('.sx__event')]
  const at = elements.indexOf(target)
  const by = ways[key]
  const next = key === 'Home' ? elements[0] : key === 'End' ? elements.at(-1) : by && elements[at + by]
  return next ? focused(next) : by !== undefined
}

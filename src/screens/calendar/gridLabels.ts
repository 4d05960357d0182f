/** Adds roles, accessible names and tab order to the library's views. */
import type { Event } from '../../api/contract/events.ts'
import { isSuggestion } from '../../commands/calendar/suggestionIds.ts'
import { deviceCount } from '../../commands/surfaces/buttons/EventLine.tsx'
import { daysBetween, wallOf, type Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { plural } from '../../domain/plural.ts'
import { shortTimeOfDay } from '../../domain/dates.ts'
import { clockAt, clockSpan, longDay, spanText } from '../../domain/calendar/texts.ts'
import { placementOf } from './placement.ts'

/** The input of `labelGrid`. */
export interface GridContent {
  readonly view: CalendarView
  readonly title: string
  /** The focused day. */
  readonly date: Day
  readonly today: Day
  readonly zone: string
  readonly events: ReadonlyMap<string, Event>
  /** The events of each day. */
  readonly byDay: ReadonlyMap<Day, readonly Event[]>
  /** The event that was focused last, which Tab returns to in a week or day. */
  readonly focused: string | undefined
  /** The event that is being moved. */
  readonly moved: string | undefined
  readonly isMovable: (event: string) => boolean
  readonly colourOf: (event: Event) => string
}

const set = (element: Element, attributes: Readonly<Record<string, string | undefined>>) => {
  for (const [name, value] of Object.entries(attributes)) {
    // Only changed values, because each change triggers mutation observers.
    if (value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
}
const queryAll = (root: Element, selector: string) => root.querySelectorAll<HTMLElement>(selector)

/** Labels the view in `root`. Must be called again after each render of the library. */
export function labelGrid(root: Element, content: GridContent): void {
  if (content.view === 'month') labelMonth(root, content)
  else labelDays(root, content)
  for (const element of queryAll(root, '.sx__event')) {
    const event = content.events.get(element.dataset.eventId ?? '')
    if (event) labelEvent(element, event, content)
  }
  if (content.view !== 'month') orderEvents(root, content.focused)
}

function labelMonth(root: Element, { title, date, today, byDay }: GridContent): void {
  for (const grid of queryAll(root, '.sx__month-grid-wrapper')) set(grid, { role: 'grid', 'aria-label': title })
  for (const week of queryAll(root, '.sx__month-grid-week')) set(week, { role: 'row' })
  for (const cell of queryAll(root, '.sx__month-grid-day')) {
    const day = cell.dataset.date ?? ''
    set(cell, {
      role: 'gridcell',
      'data-command': 'calendar.newAt',
      tabindex: day === date ? '0' : '-1',
      'aria-label': [longDay(wallOf(day)), dayCounts(byDay.get(day) ?? []), ...visibleName(cell)].join(', '),
      'aria-current': day === today ? 'date' : undefined,
    })
    for (const more of queryAll(cell, '.sx__month-grid-day__events-more'))
      set(more, {
        'data-command': 'calendar.day',
        'aria-label': `${more.textContent}: show the day`,
        tabindex: day === date ? '0' : '-1',
      })
    for (const event of queryAll(cell, '.sx__event')) set(event, { tabindex: day === date ? '0' : '-1' })
  }
}

const suggestionsIn = (events: readonly Event[]) => events.filter(({ _id }) => isSuggestion(_id)).length

/** Returns `12 events`, and how many of the others are suggestions: `12 events · 3 suggestions`. */
export function eventCounts(events: readonly Event[], separator = ' · '): string {
  const suggested = suggestionsIn(events)
  const counts = plural(events.length - suggested, 'event')
  return suggested === 0 ? counts : `${counts}${separator}${plural(suggested, 'suggestion')}`
}

/** Returns the counts of a day or slot: `no events`, `2 events, 1 suggestion`. */
export const dayCounts = (events: readonly Event[]): string =>
  events.length === 0 ? 'no events' : eventCounts(events, ', ').replace(/^0 events, /, '')

/** Returns the visible name of a day in the first week, `Mon 26`: a control's name contains its visible text. */
function visibleName(cell: Element): readonly string[] {
  const texts = [...(cell.querySelector('.sx__month-grid-day__header')?.children ?? [])].map(part => part.textContent)
  return texts.length > 1 ? [texts.join(' ')] : []
}

function labelDays(root: Element, { today }: GridContent): void {
  for (const column of queryAll(root, '.sx__time-grid-day'))
    set(column, { role: 'group', 'aria-label': longDay(wallOf(column.dataset.timeGridDate ?? today)) })
  for (const top of queryAll(root, '.sx__date-grid')) set(top, { role: 'group', 'aria-label': 'Multi-day events' })
  for (const head of queryAll(root, '.sx__week-grid__date'))
    set(head, { 'aria-current': head.dataset.date === today ? 'date' : undefined })
}

/** Cached by event, because time zone conversions are slow. */
const texts = new WeakMap<Event, EventTexts>()
interface EventTexts {
  readonly label: string
  readonly span: string
  readonly start: string
  /** The start as short as possible, for a month. */
  readonly starts: string
}
function textsOf(event: Event, zone: string): EventTexts {
  const cached = texts.get(event)
  if (cached) return cached
  const kind = isSuggestion(event._id) ? 'Suggestion: ' : ''
  const label = `${kind}${event.title}, ${spanText(event, zone)}, ${deviceCount(event)}`
  const text = {
    label,
    span: clockSpan(event, zone),
    start: clockAt(zone, Date.parse(event.start)),
    starts: shortTimeOfDay(placementOf(event, zone).span.from),
  }
  texts.set(event, text)
  return text
}

function labelEvent(element: HTMLElement, event: Event, content: GridContent): void {
  const { zone, moved, isMovable, colourOf } = content
  const { label, span, start, starts } = textsOf(event, zone)
  set(element, {
    'data-command': 'calendar.open',
    'aria-label': label,
    title: label,
    'data-starts': starts,
    'data-suggestion': isSuggestion(event._id) ? '' : undefined,
    'data-movable': isMovable(event._id) ? '' : undefined,
    'data-moved': event._id === moved ? '' : undefined,
  })
  // The library shows the end of the drawn part instead of the event's, and the start of short events with AM and PM.
  const time = element.querySelector('.sx__time-grid-event-time')
  const shown = time?.parentElement?.classList.contains('sx__title-and-time-compact') ? start : span
  if (time?.lastChild instanceof Text && time.lastChild.data !== shown) time.lastChild.data = shown
  const colour = colourOf(event)
  if (element.style.getPropertyValue('--event') !== colour) element.style.setProperty('--event', colour)
}

/** Sets a roving tabindex: Tab reaches the event that was focused last, or the first. */
function orderEvents(root: Element, focused: string | undefined): void {
  const elements = [...queryAll(root, '.sx__event')]
  const reachable = elements.find(element => element.dataset.eventId === focused) ?? elements[0]
  for (const element of elements) set(element, { tabindex: element === reachable ? '0' : '-1' })
}

/** Groups events by day, keeping their order; an event of several days is in each of them. */
export function eventsByDay(
  events: readonly Event[],
  zone: string,
  { first, end }: { first: Day; end: Day },
): ReadonlyMap<Day, readonly Event[]> {
  const byDay = new Map<Day, Event[]>()
  for (const event of events) {
    const placement = placementOf(event, zone)
    for (const day of daysBetween(placement.first, placement.last, first, end)) {
      const dayEvents = byDay.get(day)
      if (dayEvents) dayEvents.push(event)
      else byDay.set(day, [event])
    }
  }
  return byDay
}

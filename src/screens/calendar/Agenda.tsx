import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { EventLine } from '../../commands/surfaces/buttons/EventLine.tsx'
import { daysOf, wallOf, type Day } from '../../domain/calendar/days.ts'
import { longDay } from '../../domain/calendar/texts.ts'
import { calendar } from '../../store/calendar.ts'
import { useFocusAfterRemoval } from '../../ui/focus/focusAfterRemoval.ts'
import { eventsByDay } from './gridLabels.ts'

interface Props {
  /** Undefined if they could not be read. */
  events: readonly Event[] | 'loading' | undefined
  days: { first: Day; end: Day }
  zone: string
  today: Day
}

const byDate = ([a]: readonly [Day, unknown], [b]: readonly [Day, unknown]) => (a < b ? -1 : 1)

/** The agenda: upcoming events by day. */
export function Agenda({ events, days, zone, today }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const { focusRequest } = useSnapshot(calendar)
  const [focused, setFocused] = useState<string>()
  const byDay = useMemo(
    () => new Map([...(typeof events === 'object' ? eventsByDay(events, zone, days) : [])].sort(byDate)),
    [events, days, zone],
  )
  const [firstEvent] = [...byDay.values()][0] ?? []
  // Roving tabindex: Tab reaches one event, arrow keys the others.
  const reachable = typeof events === 'object' && events.some(one => one._id === focused) ? focused : firstEvent?._id
  useFocusAfterRemoval(list, '[data-event-id]', 'calendar-title')
  const isLoading = events === 'loading'
  useEffect(() => {
    if (isLoading || (focusRequest !== 'day' && !focusRequest?.startsWith('event '))) return
    calendar.focusRequest = undefined
    list.current?.querySelector<HTMLElement>('[data-event-id][tabindex="0"]')?.focus()
  }, [focusRequest, isLoading])

  // Removing an element that contains the focus fires no `blur`.
  useEffect(() => () => void (calendar.focusedEvent = undefined), [])

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    // With a modifier, they are keys of commands.
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
    const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-event-id]')]
    const index = lines.indexOf(event.target as HTMLElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: lines.length - 1 }[event.key]
    if (index < 0 || next === undefined) return
    event.preventDefault()
    lines[next]?.focus()
  }

  if (isLoading) return <AgendaSkeleton />
  if (byDay.size === 0)
    return (
      <div className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center text-ink2">
        {events && (
          <>
            <p>No events in this period.</p>
            <CommandButton command={commandOf('calendar.new')} />
          </>
        )}
      </div>
    )
  return (
    <div
      ref={list}
      role="group"
      aria-label="Agenda"
      className="min-h-0 flex-1 overflow-auto"
      onKeyDown={move}
      onFocus={({ target }) => {
        calendar.focusedEvent = target.dataset.eventId
        setFocused(target.dataset.eventId)
      }}
      onBlur={({ relatedTarget }) => {
        if (!relatedTarget?.closest('[role=dialog], [role=alertdialog]')) calendar.focusedEvent = undefined
      }}
    >
      {[...byDay].map(([day, dayEvents]) => (
        <div key={day} className="border-b border-line px-4 py-2.5">
          <h2 className="mb-1 text-[12.5px] font-semibold">
            {longDay(wallOf(day))}
            {day === today && <span className="ml-2 font-medium text-accent">Today</span>}
          </h2>
          <ul>
            {dayEvents.map(event => (
              <li key={event._id}>
                <EventLine
                  event={event}
                  when="time"
                  day={day}
                  reachable={event._id === reachable && firstVisibleDay(event, days.first, zone) === day}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** Returns the first visible day of an event. */
function firstVisibleDay(event: Event, from: Day, zone: string): Day {
  const { first } = daysOf(event, zone)
  return first < from ? from : first
}

function AgendaSkeleton() {
  return (
    <div aria-hidden="true" className="grid gap-3 p-4">
      {Array.from({ length: 8 }, (_, line) => (
        <span key={line} className="skeleton h-4" style={{ width: `${45 + ((line * 17) % 40)}%` }} />
      ))}
    </div>
  )
}

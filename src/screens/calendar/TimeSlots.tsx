import { memo, useMemo, type CSSProperties } from 'react'
import {
  addDays,
  daysBetween,
  occurrence,
  visibleDays,
  slotMinutes,
  todayIn,
  wallOf,
  type Day,
} from '../../domain/calendar/days.ts'
import { msPerMinute } from '../../domain/time.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { clock, longDay } from '../../domain/calendar/texts.ts'
import { wallTime } from '../../domain/zone.ts'
import { dayCounts } from './gridLabels.ts'
import type { Piece } from './libraryEvents.ts'
import { dayByKey, activateDay, goToDay } from './gridKeys.ts'

interface Props {
  view: CalendarView
  date: Day
  minutes: number
  zone: string
  now: number
  pieces: readonly Piece[]
}

const slots = Array.from({ length: (24 * 60) / slotMinutes }, (_, index) => index * slotMinutes)
const wholeDay = 24 * 60

/** The time slots of a week or day: a grid for the keyboard over the library's columns, transparent to the mouse. */
export function TimeSlots({ view, date, minutes, zone, now, pieces }: Props) {
  const { first, end } = visibleDays(view, date)
  const days = useMemo(() => daysBetween(first, addDays(end, -1), first, end), [first, end])
  const rows = useMemo(() => slots.map(slot => days.map(day => occurrence(zone, wallOf(day, slot)))), [days, zone])
  const counts = useMemo(() => slots.map(slot => days.map(day => countsAt(pieces, wallOf(day, slot)))), [days, pieces])
  const wall = wallTime(zone, now)
  const today = days.indexOf(todayIn(zone, now))
  return (
    <>
      <div
        role="grid"
        aria-label="Times"
        className="time-slots"
        style={{ '--days': days.length } as CSSProperties}
        onKeyDown={event => {
          if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
          const cell = event.target instanceof HTMLElement ? event.target : undefined
          const day = cell?.dataset.day
          if (day === undefined) return
          if (!move(event.key, view, zone, day, Number(cell?.dataset.minutes), event.currentTarget)) return
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        {slots.map((slot, row) => (
          <div key={slot} role="row" className="contents">
            {days.map((day, column) => (
              <Slot
                key={day}
                day={day}
                slot={slot}
                shown={rows[row]?.[column] ?? 'once'}
                counts={counts[row]?.[column] ?? ''}
                reachable={day === date && slot === minutes - (minutes % slotMinutes)}
              />
            ))}
          </div>
        ))}
      </div>
      {today >= 0 && (
        <div
          aria-hidden="true"
          className="now-line"
          style={
            {
              '--days': days.length,
              '--day': today,
              top: `${((wall - wallOf(todayIn(zone, now))) / msPerMinute / wholeDay) * 100}%`,
            } as CSSProperties
          }
        />
      )}
    </>
  )
}

const Slot = memo(function Slot(props: {
  day: Day
  slot: number
  shown: ReturnType<typeof occurrence>
  /** `1 event`; empty without events. */
  counts: string
  reachable: boolean
}) {
  const { day, slot, shown, counts, reachable } = props
  const notes = [
    counts,
    shown === 'never' && 'skipped: clocks are put forward',
    shown === 'twice' && 'occurs twice: clocks are put back',
  ].filter(Boolean)
  const name = [clock(wallOf(day, slot)), longDay(wallOf(day)), ...notes].join(', ')
  return (
    <div
      role="gridcell"
      className="time-slot"
      data-command="calendar.newAt"
      data-day={day}
      data-minutes={slot}
      data-shown={shown}
      tabIndex={reachable ? 0 : -1}
      aria-label={name}
    >
      {slot % 60 === 0 && shown === 'twice' && <span aria-hidden="true">twice</span>}
    </div>
  )
})

const overlaps = (piece: Piece, wall: number) =>
  piece.from < wall + slotMinutes * msPerMinute && Math.max(piece.to, piece.from + 1) > wall
const countsAt = (pieces: readonly Piece[], wall: number): string => {
  const events = pieces.filter(piece => overlaps(piece, wall)).map(({ event }) => event)
  return events.length === 0 ? '' : dayCounts(events)
}

/** Handles a key at a slot. Returns whether the key was handled. */
function move(key: string, view: CalendarView, zone: string, day: Day, at: number, grid: HTMLElement): boolean {
  if (key === 'Enter') {
    activateDay(day, eventsAt(grid, day, at), at)
    return true
  }
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const by = key === 'ArrowDown' ? slotMinutes : -slotMinutes
    let to = at + by
    // Skips times that do not occur because clocks are put forward.
    while (to >= 0 && to < wholeDay && occurrence(zone, wallOf(day, to)) === 'never') to += by
    if (to >= 0 && to < wholeDay) goToDay(day, to)
    return true
  }
  const paged = key === 'PageUp' ? -1 : key === 'PageDown' ? 1 : 0
  const to = paged === 0 ? dayByKey(key, day) : addDays(day, paged * (view === 'week' ? 7 : 1))
  if (to !== undefined) goToDay(to, at)
  return to !== undefined
}

/** Returns the event elements that overlap a slot. */
function eventsAt(grid: HTMLElement, day: Day, at: number): HTMLElement[] {
  const column = grid.parentElement?.querySelector<HTMLElement>(`[data-time-grid-date="${day}"]`)
  const slot = grid.querySelector(`[data-day="${day}"][data-minutes="${at}"]`)?.getBoundingClientRect()
  if (!column || !slot) return []
  return [...column.querySelectorAll<HTMLElement>('.sx__event')].filter(element => {
    const box = element.getBoundingClientRect()
    return box.top < slot.bottom - 1 && box.bottom > slot.top + 1
  })
}

import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { eventsWithDevices, maxNamedDevices, prefetchEvents, useEvents, type EventQuery } from '../../api/events.ts'
import { monthStart, visibleDays, startOfDay, adjacentDate, type Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { calendar } from '../../store/calendar.ts'
import { useSelection } from '../../store/selection.ts'

/** Milliseconds for which a view must stay before its neighbours are read. */
const pause = 300

function queryFor(view: CalendarView, date: Day, devices: readonly string[] | undefined): EventQuery {
  const { first, end } = visibleDays(view, date)
  const [from, to] = [first, end].map(day => new Date(startOfDay(systemTimeZone(), day)).toISOString()) as [
    string,
    string,
  ]
  return { from, to, ...(devices && { devices }) }
}

/** The events of a view, of all devices or of those that are selected; and those before and after it, read ahead. */
export function useShownEvents(view: CalendarView, date: Day) {
  const { onlySelected } = useSnapshot(calendar)
  const selected = useSelection('devices')
  const items = onlySelected ? selected.items() : undefined
  const wanted = useMemo(() => items && new Set(items.map(({ id }) => id)), [items])
  // Of many, the events of all devices are read, and chosen here: a question does not name thousands.
  const devices = useMemo(() => (wanted && wanted.size <= maxNamedDevices ? [...wanted] : undefined), [wanted])
  const nothingSelected = wanted?.size === 0
  // Another day of the same view is the same question.
  const anchor = view === 'month' ? monthStart(date) : visibleDays(view, date).first
  const query = useMemo(
    () => (nothingSelected ? undefined : queryFor(view, anchor, devices)),
    [view, anchor, devices, nothingSelected],
  )
  const answer = useEvents(query)
  const arrived = answer.data !== undefined
  useEffect(() => {
    if (!arrived || nothingSelected) return undefined
    const wait = setTimeout(() => {
      for (const by of [1, -1] as const) prefetchEvents(queryFor(view, adjacentDate(view, anchor, by), devices))
    }, pause)
    return () => clearTimeout(wait)
  }, [arrived, nothingSelected, view, anchor, devices])
  const { data } = answer
  const events = useMemo(
    () => (data && wanted && !devices ? eventsWithDevices(data, wanted) : data),
    [data, wanted, devices],
  )
  return { answer, events, nothingSelected }
}

import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import { eventsWithDevices, maxNamedDevices, prefetchEvents, useEvents, type EventQuery } from '../../api/events.ts'
import { monthStart, visibleDays, startOfDay, adjacentDate, type Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { calendar } from '../../store/calendar.ts'
import { useSelection } from '../../store/selection.ts'
import { useJobEvents } from './useJobEvents.ts'
import { useSuggestions } from './useSuggestions.ts'

/** Milliseconds after which the previous and next view are prefetched. */
const prefetchDelay = 300

function queryFor(view: CalendarView, date: Day, devices: readonly string[] | undefined): EventQuery {
  const { first, end } = visibleDays(view, date)
  const [from, to] = [first, end].map(day => new Date(startOfDay(systemTimeZone(), day)).toISOString()) as [
    string,
    string,
  ]
  return { from, to, ...(devices && { devices }) }
}

const byStart = (a: Event, b: Event): number => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0)

/**
 * Reads the events, the scheduled jobs and the suggested visits of a view, for all or for the selected devices, and
 * prefetches the previous and next view.
 */
export function useVisibleEvents(view: CalendarView, date: Day) {
  const { onlySelected } = useSnapshot(calendar)
  const selected = useSelection('devices')
  const items = onlySelected ? selected.items() : undefined
  const selectedIds = useMemo(() => items && new Set(items.map(({ id }) => id)), [items])
  // A query cannot name thousands of devices: for many, all events are read and filtered here.
  const devices = useMemo(
    () => (selectedIds && selectedIds.size <= maxNamedDevices ? [...selectedIds] : undefined),
    [selectedIds],
  )
  const nothingSelected = selectedIds?.size === 0
  // Days of the same view share one query.
  const anchor = view === 'month' ? monthStart(date) : visibleDays(view, date).first
  const query = useMemo(
    () => (nothingSelected ? undefined : queryFor(view, anchor, devices)),
    [view, anchor, devices, nothingSelected],
  )
  const response = useEvents(query)
  const isLoaded = response.data !== undefined
  useEffect(() => {
    if (!isLoaded || nothingSelected) return undefined
    const timer = setTimeout(() => {
      for (const by of [1, -1] as const) prefetchEvents(queryFor(view, adjacentDate(view, anchor, by), devices))
    }, prefetchDelay)
    return () => clearTimeout(timer)
  }, [isLoaded, nothingSelected, view, anchor, devices])
  const { data } = response
  const jobs = useJobEvents(query)
  const { suggestions, problem } = useSuggestions({ view, date: anchor, range: query, isLoaded })
  const events = useMemo(
    () =>
      data &&
      [
        ...(selectedIds && !devices ? eventsWithDevices(data, selectedIds) : data),
        ...jobs,
        ...suggestions.filter(visit => !selectedIds || visit.devices.some(device => selectedIds.has(device))),
      ].sort(byStart),
    [data, selectedIds, devices, jobs, suggestions],
  )
  return { response, events, nothingSelected, suggestionProblem: problem }
}

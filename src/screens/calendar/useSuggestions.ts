import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import type { Plan } from '../../api/contract/health/plan.ts'
import { usePlan } from '../../api/health/plan.ts'
import { suggestedEvent } from '../../commands/calendar/suggestions.ts'
import type { Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { calendar } from '../../store/calendar.ts'
import { useRole } from '../../store/session.ts'
import { formatNumber } from '../../domain/format.ts'

const none: readonly Event[] = []

/** Where a view is, and whether suggestions are read for it. */
interface Shown {
  readonly view: CalendarView
  readonly date: Day
  /** The range of the view, ISO times; undefined if it shows no events. */
  readonly range: { readonly from: string; readonly to: string } | undefined
  /** Whether the events have been read, which go first. */
  readonly isLoaded: boolean
}

/** Returns the visits that are suggested in a view as events, unless they are switched off, and why not all that is due. */
export function useSuggestions({ view, date, range, isLoaded }: Shown): {
  readonly suggestions: readonly Event[]
  readonly problem: string | undefined
} {
  const { suggestions: areShown } = useSnapshot(calendar)
  const role = useRole()
  const mayRead = role !== undefined && (deviceRoles as readonly string[]).includes(role)
  const isRead = isLoaded && areShown && mayRead && range !== undefined
  const { data, error } = usePlan(isRead ? view : undefined, date, systemTimeZone())
  const suggestions = useMemo(
    () =>
      isRead && data
        ? data.visits.filter(({ at }) => at >= range.from && at < range.to).map(visit => suggestedEvent(visit))
        : none,
    [isRead, data, range],
  )
  return { suggestions, problem: isRead ? problemOf(data, error) : undefined }
}

function problemOf(data: Plan | undefined, error: unknown): string | undefined {
  if (error instanceof Error) return `No replacements are suggested: ${error.message}.`
  if (!data || data.more === 0) return undefined
  return data.more === 1
    ? '1 more cartridge is due in this time. It is suggested once these are planned.'
    : `${formatNumber(data.more)} more cartridges are due in this time. They are suggested once these are planned.`
}

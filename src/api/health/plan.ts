/** Reads the plan of replacements: suggested visits, and what is due for devices. */
import pLimit from 'p-limit'
import useSWR from 'swr'
import { addDays, startOfDay, visibleDays, weekStart, type Day } from '../../domain/calendar/days.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import type { DueDevice, Visit } from '../../domain/calendar/visits.ts'
import { cachedData } from '../cache.ts'
import { call } from '../client.ts'
import { events } from '../contract/events.ts'
import { health } from '../contract/health/endpoints.ts'
import type { Plan } from '../contract/health/plan.ts'
import { maxNamedDevices } from '../events.ts'
import { useRefreshOptions } from '../hooks.ts'

/** Selects what is due in these weeks. */
interface PlanQuery {
  readonly from: string
  readonly to: string
  readonly zone: string
}

/**
 * Returns the query of the visits that a view may show: of whole weeks, because a visit has what is due in one, and of the
 * week after them, whose visit may be on the Friday before.
 */
function planQuery(view: CalendarView, date: Day, zone: string): PlanQuery {
  const { first, end } = visibleDays(view, date)
  const [from, to] = [weekStart(first), addDays(weekStart(addDays(end, -1)), 14)]
  return {
    from: new Date(startOfDay(zone, from)).toISOString(),
    to: new Date(startOfDay(zone, to)).toISOString(),
    zone,
  }
}

/** The key is of the list of events, because the stream names these when an event is created or deleted. */
const planKey = (query: PlanQuery) => [events.list.path, { plan: query }] as const

/** Reads the visits that a view of the calendar may show, and keeps them up to date; nothing without a view. */
export function usePlan(view: CalendarView | undefined, date: Day, zone: string) {
  const query = view && planQuery(view, date, zone)
  return useSWR<Plan>(
    query ? planKey(query) : null,
    () => (query ? call(health.plan, { query }) : Promise.resolve({ visits: [], more: 0 })),
    { ...useRefreshOptions(), keepPreviousData: false },
  )
}

/** Returns the visits of a view that have been loaded. */
export const cachedPlan = (view: CalendarView, date: Day, zone: string): readonly Visit[] =>
  cachedData<Plan>(planKey(planQuery(view, date, zone)))?.visits ?? []

/** Calls at the same time. */
const limitReads = pLimit(3)

/** Reads when the cartridges of these devices are due. Rejects with ApiError, or with AbortError once `signal` is aborted. */
export async function readDueDevices(
  ids: readonly string[],
  how: { readonly call: typeof call; readonly signal: AbortSignal },
): Promise<readonly DueDevice[]> {
  const chunks = Array.from({ length: Math.ceil(ids.length / maxNamedDevices) }, (_, index) =>
    ids.slice(index * maxNamedDevices, (index + 1) * maxNamedDevices),
  )
  const read = (chunk: readonly string[]) =>
    how.call(health.planOfDevices, { query: { devices: chunk.join(',') }, signal: how.signal })
  return (await Promise.all(chunks.map(chunk => limitReads(() => read(chunk))))).flat()
}

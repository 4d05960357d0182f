/** Reads calendar events. */
import useSWR, { mutate, unstable_serialize } from 'swr'
import { cache, cachedData } from './cache.ts'
import { call } from './client.ts'
import { events, type Event } from './contract/events.ts'
import { useRefreshOptions } from './hooks.ts'

/** Selects events that overlap the time from `from` until before `to` (ISO times, at most 400 days apart). */
export interface EventQuery {
  readonly from: string
  readonly to: string
  /** Only events of one of these devices, at most `maxNamedDevices`; all events if undefined. */
  readonly devices?: readonly string[]
}

/** The maximum number of devices in a query. */
export const maxNamedDevices = 500

/** Returns the events that may include one of the devices: an event lists only its first ones, others count as selected. */
export const eventsWithDevices = (events: readonly Event[], devices: ReadonlySet<string>): readonly Event[] =>
  events.filter(event => event.device_count > event.devices.length || event.devices.some(device => devices.has(device)))

/** The events of a page. */
const pageSize = 500

type Key = readonly [path: string, query: EventQuery]
const keyOf = (query: EventQuery): Key => [events.list.path, query]

/** Queries by the cache key of their result, ordered by when they were last answered. */
const readQueries = new Map<string, EventQuery>()

async function readEvents(key: Key): Promise<Event[]> {
  const [, query] = key
  const { from, to, devices } = query
  const filter = { from, to, ...(devices && { devices: devices.join(',') }), limit: pageSize }
  const result: Event[] = []
  for (let last: Event | undefined; ;) {
    const page = await call(events.list, {
      query: { ...filter, ...(last && { after: `${last.start},${last._id}` }) },
    })
    result.push(...page)
    last = page.at(-1)
    if (page.length !== pageSize) break
  }
  const name = unstable_serialize(key)
  readQueries.delete(name)
  readQueries.set(name, query)
  return result
}

/** Reads events; does not keep another query's events while loading. An undefined query reads nothing. */
export const useEvents = (query: EventQuery | undefined) =>
  useSWR<Event[]>(query ? keyOf(query) : null, readEvents, { ...useRefreshOptions(), keepPreviousData: false })

/** Reads events that are likely to be shown next. */
export function prefetchEvents(query: EventQuery): void {
  const key = keyOf(query)
  if (cachedData(key)) return
  // A failed prefetch is silent: the screen that shows the events reads them again and reports the error.
  mutate(key, readEvents(key), { revalidate: false }).catch(() => undefined)
}

/** Returns whether a query's result includes an event. */
const matchesQuery = (
  { start, end, devices, device_count }: Event,
  { from, to, devices: queried }: EventQuery,
): boolean =>
  Date.parse(start) < Date.parse(to) &&
  Date.parse(end) > Date.parse(from) &&
  (queried === undefined || device_count > devices.length || devices.some(device => queried.includes(device)))

/**
 * Returns a cached event; undefined if the newest cached result that should include it does not. Results that are not on
 * screen are not refreshed, so an older one may still contain a deleted event.
 */
export function cachedEvent(id: string | undefined): Event | undefined {
  if (id === undefined) return undefined
  const later: EventQuery[] = []
  for (const [key, query] of [...readQueries].toReversed()) {
    const data = cache.get(key)?.data as Event[] | undefined
    const found = data?.find(event => event._id === id)
    if (found) return later.some(one => matchesQuery(found, one)) ? undefined : found
    if (data) later.push(query)
  }
  return undefined
}

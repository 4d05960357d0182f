/** Calendar events, by the time they are at. */
import useSWR, { mutate, unstable_serialize } from 'swr'
import { cache } from './cache.ts'
import { call } from './client.ts'
import { events, type Event } from './contract/events.ts'
import { useKeptUp } from './hooks.ts'

/** Which events: those that are at some time from `from` on and before `to` (ISO times, at most 400 days apart). */
export interface EventQuery {
  readonly from: string
  readonly to: string
  /** Only those of one of these devices, at most `maxNamedDevices`; of all of them without. */
  readonly devices?: readonly string[]
}

/** As many devices as one question names. */
export const maxNamedDevices = 500

/** Those that concern one of the devices. */
export const eventsOf = (events: readonly Event[], devices: ReadonlySet<string>): readonly Event[] =>
  events.filter(event => event.devices.some(device => devices.has(device)))

type Key = readonly [path: string, query: EventQuery]
const keyOf = (query: EventQuery): Key => [events.list.path, query]

/** What was asked, by the key of its answer in the cache, in the order in which they were answered last. */
const answered = new Map<string, EventQuery>()

async function readEvents(key: Key): Promise<Event[]> {
  const [, query] = key
  const { from, to, devices } = query
  const found = await call(events.list, { query: { from, to, ...(devices && { devices: devices.join(',') }) } })
  const name = unstable_serialize(key)
  answered.delete(name)
  answered.set(name, query)
  return found
}

/** The events asked for; those of another question are not shown meanwhile. Undefined asks nothing. */
export const useEvents = (query: EventQuery | undefined) =>
  useSWR<Event[]>(query ? keyOf(query) : null, readEvents, { ...useKeptUp(), keepPreviousData: false })

/** Asks for events that are likely to be wanted next. */
export function prefetchEvents(query: EventQuery): void {
  const key = keyOf(query)
  if (cache.get(unstable_serialize(key))?.data) return
  // Whoever shows them will be told what is wrong; reading ahead is not worth a message.
  mutate(key, readEvents(key), { revalidate: false }).catch(() => undefined)
}

/** Whether an event is among those asked for. */
const isAskedFor = ({ start, end, devices }: Event, { from, to, devices: asked }: EventQuery): boolean =>
  Date.parse(start) < Date.parse(to) &&
  Date.parse(end) > Date.parse(from) &&
  (asked === undefined || devices.some(device => asked.includes(device)))

/**
 * An event that some screen has read. The last answer that would hold it says whether it is still there: what is no
 * longer on screen is not read again when others delete it.
 */
export function knownEvent(id: string | undefined): Event | undefined {
  if (id === undefined) return undefined
  const later: EventQuery[] = []
  for (const [key, query] of [...answered].toReversed()) {
    const data = cache.get(key)?.data as Event[] | undefined
    const found = data?.find(event => event._id === id)
    if (found) return later.some(one => isAskedFor(found, one)) ? undefined : found
    if (data) later.push(query)
  }
  return undefined
}

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
  /** Only those of one of these devices; of all of them without. */
  readonly devices?: readonly string[]
}

/** As many devices as one question names; of more, events are asked for of all devices and chosen here. */
const mostNamed = 500

type Key = readonly [path: string, query: EventQuery]
const keyOf = (query: EventQuery): Key => [events.list.path, query]

async function readEvents([, { from, to, devices }]: Key): Promise<Event[]> {
  const named = devices !== undefined && devices.length <= mostNamed ? { devices: devices.join(',') } : {}
  const found = await call(events.list, { query: { from, to, ...named } })
  if (devices === undefined || devices.length <= mostNamed) return found
  const wanted = new Set(devices)
  return found.filter(event => event.devices.some(device => wanted.has(device)))
}

/** The events asked for; those of another question are not shown meanwhile. Undefined asks nothing. */
export const useEvents = (query: EventQuery | undefined) =>
  useSWR<Event[]>(query ? keyOf(query) : null, readEvents, { ...useKeptUp(), keepPreviousData: false })

/** Asks for events that are likely to be wanted next. */
export function readEventsAhead(query: EventQuery): void {
  const key = keyOf(query)
  if (cache.get(unstable_serialize(key))?.data) return
  // Whoever shows them will be told what is wrong; reading ahead is not worth a message.
  mutate(key, readEvents(key), { revalidate: false }).catch(() => undefined)
}

/** An event that some screen has read. */
export function knownEvent(id: string | undefined): Event | undefined {
  if (id === undefined) return undefined
  for (const key of cache.keys()) {
    if (!key.includes(events.list.path)) continue
    const found = (cache.get(key)?.data as Event[] | undefined)?.find(event => event._id === id)
    if (found) return found
  }
  return undefined
}

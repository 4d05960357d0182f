/** Lists calendar events. */
import { and, asc, count, gt, gte, inArray, or, sql } from 'drizzle-orm'
import { maxListedDevices, type Event } from '../../../src/api/contract/events.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { eventDevices, events } from '../../db/schema/events.ts'
import { badRequest } from '../../core/errors.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { ownEventDevices } from '../shared/scope.ts'
import type { EventKey, Span } from './spans.ts'

/** Maximum events of a response without pages, which limits the server's memory. */
const maxEvents = 10_000

/** Which events are listed. */
export interface EventsQuery {
  readonly span: Span
  /** Only events of these devices. */
  readonly devices: readonly string[] | undefined
  /** At most so many, the first ones after the event `after`; without a limit all. */
  readonly limit: number | undefined
  readonly after: EventKey | undefined
}

/**
 * Returns events that overlap the span (`from` inclusive, `to` exclusive), earliest first, with the first of their devices
 * and the count of all. Throws a 400 if there are too many and no limit is given.
 */
export async function eventsBetween(
  db: Database,
  caller: Caller,
  { span: { from, to }, devices, limit, after }: EventsQuery,
): Promise<Event[]> {
  const condition = and(
    sql`tstzrange(${events.starts_at}, ${events.ends_at}, '[]')
      && tstzrange(${from.toISOString()}::timestamptz, ${to.toISOString()}::timestamptz, '[)')`,
    // Excludes events that end exactly at the start of the span, unless they have no length.
    or(gt(events.ends_at, from), gte(events.starts_at, from)),
    after && sql`(${events.starts_at}, ${events.id}) > (${after.start.toISOString()}::timestamptz, ${after.id}::text)`,
    inArray(events.id, eventsOf(db, caller, devices)),
  )
  const rows = await db
    .select()
    .from(events)
    .where(condition)
    .orderBy(asc(events.starts_at), asc(events.id))
    .limit(limit ?? maxEvents + 1)
  if (limit === undefined && rows.length > maxEvents)
    throw badRequest(
      `There are more than ${maxEvents.toLocaleString('en')} events; please choose a shorter time span or a limit`,
    )
  const found = await devicesOf(
    db,
    caller,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(row => {
    const listed = found.get(row.id)
    // The event was deleted between the two queries.
    if (listed === undefined) return []
    return {
      _id: row.id,
      title: row.title,
      description: row.description,
      start: row.starts_at.toISOString(),
      end: row.ends_at.toISOString(),
      created_by: row.created_by,
      devices: listed.bssids,
      device_count: listed.count,
    }
  })
}

/** Returns the first devices of each event that the caller may see, and their count. */
async function devicesOf(db: Database, caller: Caller, ids: readonly string[]) {
  const rows = await db
    .select({
      id: eventDevices.event_id,
      count: count(),
      bssids: sql<
        string[]
      >`(array_agg(${eventDevices.bssid}::text order by ${eventDevices.bssid}))[1:${sql.raw(String(maxListedDevices))}]`,
    })
    .from(eventDevices)
    .where(and(anyOf(eventDevices.event_id, ids), ownEventDevices(caller)))
    .groupBy(eventDevices.event_id)
  return new Map(rows.map(row => [row.id, row]))
}

/** Returns a subquery for the events with devices that the caller may see, with one of `bssids` if they are given. */
const eventsOf = (db: Database, caller: Caller, bssids: readonly string[] | undefined) =>
  db
    .select({ id: eventDevices.event_id })
    .from(eventDevices)
    .where(and(bssids && anyOf(eventDevices.bssid, bssids), ownEventDevices(caller)))

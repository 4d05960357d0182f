/** Lists calendar events. */
import { and, asc, count, eq, gt, gte, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Event } from '../../../src/api/contract/events.ts'
import type { Database } from '../../db/database.ts'
import { eventDevices, events } from '../../db/schema/events.ts'
import { badRequest } from '../../core/errors.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { ownEventDevices } from '../shared/scope.ts'
import type { Span } from './spans.ts'

/** Maximum events of a response, which limits the server's memory. */
const maxEvents = 10_000
/** Maximum devices of all these events together. */
const maxDevices = 50_000

/**
 * Returns events that overlap the span (`from` inclusive, `to` exclusive), earliest first; with `devices`, only events
 * of these devices. Throws a 400 if there are too many events or devices.
 */
export async function eventsBetween(
  db: Database,
  caller: Caller,
  { from, to }: Span,
  devices: readonly string[] | undefined,
): Promise<Event[]> {
  const condition = and(
    sql`tstzrange(${events.starts_at}, ${events.ends_at}, '[]')
      && tstzrange(${from.toISOString()}::timestamptz, ${to.toISOString()}::timestamptz, '[)')`,
    // Excludes events that end exactly at the start of the span, unless they have no length.
    or(gt(events.ends_at, from), gte(events.starts_at, from)),
    ownEventDevices(caller),
    devices && inArray(events.id, eventsOf(db, caller, devices)),
  )
  await rejectTooManyDevices(db, condition)
  const rows = await db
    .select({
      id: events.id,
      title: events.title,
      description: events.description,
      start: events.starts_at,
      end: events.ends_at,
      created_by: events.created_by,
      devices: sql<string[]>`array_agg(${eventDevices.bssid}::text order by ${eventDevices.bssid})`,
    })
    .from(events)
    .innerJoin(eventDevices, eq(eventDevices.event_id, events.id))
    .where(condition)
    .groupBy(events.id)
    .orderBy(asc(events.starts_at), asc(events.id))
    .limit(maxEvents + 1)
  if (rows.length > maxEvents) throw tooManyError(maxEvents, 'events')
  return rows.map(({ id, start, end, ...event }) => ({
    _id: id,
    ...event,
    start: start.toISOString(),
    end: end.toISOString(),
  }))
}

/** Returns a subquery for the events with one of these devices, limited to those that the caller may see. */
const eventsOf = (db: Database, caller: Caller, bssids: readonly string[]) =>
  db
    .select({ id: eventDevices.event_id })
    .from(eventDevices)
    .where(and(sql`${eventDevices.bssid} = any(${sql.param(bssids)}::text[])`, ownEventDevices(caller)))

/** Throws a 400 above `maxDevices`. Stops counting there, as 10,000 events may have a thousand devices each. */
async function rejectTooManyDevices(db: Database, condition: SQL | undefined): Promise<void> {
  const matches = db
    .select({ id: events.id })
    .from(events)
    .innerJoin(eventDevices, eq(eventDevices.event_id, events.id))
    .where(condition)
    .limit(maxDevices + 1)
    .as('matches')
  const [counted] = await db.select({ devices: count() }).from(matches)
  if (counted!.devices > maxDevices) throw tooManyError(maxDevices, 'devices in these events')
}

const tooManyError = (limit: number, noun: string) =>
  badRequest(`There are more than ${limit.toLocaleString('en')} ${noun}; please choose a shorter time span`)

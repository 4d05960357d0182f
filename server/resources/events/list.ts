/** The calendar as callers see it. */
import { and, asc, count, eq, gt, gte, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Event } from '../../../src/api/contract/events.ts'
import type { Database } from '../../db/database.ts'
import { eventDevices, events } from '../../db/schema/events.ts'
import { badRequest } from '../../core/errors.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { ownEventDevices } from '../shared/scope.ts'
import type { Span } from './spans.ts'

/** Nobody reads as many; they would only hold up the others. */
const maxEvents = 10_000
/** Devices of all those events, each counted once for every event that concerns it. */
const maxDevices = 50_000

/**
 * Events that overlap the span (`from` belongs to it, `to` does not), the earliest first; with `devices`, those that
 * concern one of them. Throws a 400 where there are too many to show, or too many devices that they concern.
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
    // What ends as the span begins is over; what has no length is not.
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
  if (rows.length > maxEvents) throw tooMany(maxEvents, 'events')
  return rows.map(({ id, start, end, ...event }) => ({
    _id: id,
    ...event,
    start: start.toISOString(),
    end: end.toISOString(),
  }))
}

/** The events that concern one of the devices that the caller may see. */
const eventsOf = (db: Database, caller: Caller, bssids: readonly string[]) =>
  db
    .select({ id: eventDevices.event_id })
    .from(eventDevices)
    .where(and(sql`${eventDevices.bssid} = any(${sql.param(bssids)}::text[])`, ownEventDevices(caller)))

/** Counts no further than it must: 10,000 events may concern a thousand devices each. */
async function rejectTooManyDevices(db: Database, condition: SQL | undefined): Promise<void> {
  const matches = db
    .select({ id: events.id })
    .from(events)
    .innerJoin(eventDevices, eq(eventDevices.event_id, events.id))
    .where(condition)
    .limit(maxDevices + 1)
    .as('concerned')
  const [counted] = await db.select({ devices: count() }).from(matches)
  if (counted!.devices > maxDevices) throw tooMany(maxDevices, 'devices that events concern')
}

const tooMany = (limit: number, things: string) =>
  badRequest(`There are more than ${limit.toLocaleString('en')} ${things}; please choose a shorter time`)

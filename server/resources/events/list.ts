/** The calendar as callers see it. */
import { and, asc, eq, gt, gte, or, sql } from 'drizzle-orm'
import type { Event } from '../../../src/api/contract/events.ts'
import type { Database } from '../../db/database.ts'
import { eventDevices, events } from '../../db/schema/events.ts'
import { badRequest } from '../../errors.ts'
import type { Caller } from '../../handler.ts'
import { ownEventDevices } from '../scope.ts'
import type { Span } from './times.ts'

/** Nobody reads as many; they would only hold up the others. */
const most = 10_000

/**
 * Events that overlap the span (`from` belongs to it, `to` does not), the earliest first; with `devices`, those that
 * concern one of them. Throws a 400 where there are too many to show.
 */
export async function eventsBetween(
  db: Database,
  caller: Caller,
  { from, to }: Span,
  devices: readonly string[] | undefined,
): Promise<Event[]> {
  const wanted = devices && sql`bool_or(${eventDevices.bssid} = any(${sql.param(devices)}::text[]))`
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
    .where(
      and(
        sql`tstzrange(${events.starts_at}, ${events.ends_at}, '[]')
          && tstzrange(${from.toISOString()}::timestamptz, ${to.toISOString()}::timestamptz, '[)')`,
        // What ends as the span begins is over; what has no length is not.
        or(gt(events.ends_at, from), gte(events.starts_at, from)),
        ownEventDevices(caller),
      ),
    )
    .groupBy(events.id)
    .having(wanted)
    .orderBy(asc(events.starts_at), asc(events.id))
    .limit(most + 1)
  if (rows.length > most)
    throw badRequest(`There are more than ${most.toLocaleString('en')} events; please choose a shorter time`)
  return rows.map(({ id, start, end, ...event }) => ({
    _id: id,
    ...event,
    start: start.toISOString(),
    end: end.toISOString(),
  }))
}

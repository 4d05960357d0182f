/**
 * Pages of notifications, newest first, with the count of all matches. Few rows are read regardless of the total:
 * counts are stored by vendor and type, and the newest rows of a device, type or vendor are at the end of an index. In a
 * collapsed page, incidents take the place of their notifications.
 */
import { and, eq, getTableName, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { sum } from '../../../src/domain/lib/sum.ts'
import { notificationTypes, type NotificationType } from '../../../src/domain/notifications/types.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { hasLine, incidentsOfLine, shownIncident } from './storms.ts'
import { incidents, notificationCounts, notifications } from '../../db/schema/notifications.ts'

/** Filters; `undefined` does not filter. */
export interface NotificationFilter {
  readonly scope: SQL | undefined
  readonly types: readonly NotificationType[] | undefined
  readonly devices: readonly string[] | undefined
  readonly incident: string | undefined
  /** Whether the id of an incident stands for its storm. */
  readonly storms: boolean
}

interface Slice {
  readonly offset: number
  readonly limit: number
}

/** A row of a page: a notification or an incident. */
export interface Line {
  readonly id: string
  readonly isIncident: boolean
}

export interface Page {
  readonly count: number
  readonly lines: readonly Line[]
}

/** That a page is collapsed, with the scope of its incidents, and whether those of a storm are one line. */
interface Collapsed {
  readonly scope: SQL | undefined
  readonly storms: boolean
}

/** Returns a page of notifications, newest first. */
export function newestPage(
  db: Database,
  filter: NotificationFilter,
  slice: Slice,
  collapsed?: Collapsed,
): Promise<Page> {
  const types = filter.types && [...new Set(filter.types)]
  // A filter that contains all types filters nothing.
  const filteredTypes = types && types.length < notificationTypes.length ? types : undefined
  const devices = filter.devices && [...new Set(filter.devices)]
  if (filter.incident !== undefined) {
    const ofIncident = filter.storms
      ? sql`${notifications.incident_id} in (${incidentsOfLine(filter.incident)})`
      : eq(notifications.incident_id, filter.incident)
    const ofDevices = anyOfChosen(notifications.bssid, devices)
    return pageOfIncident(
      db,
      and(filter.scope, ofIncident, ofDevices, anyOfChosen(notifications.type, filteredTypes)),
      slice,
    )
  }
  return devices
    ? pageOfDevices(db, filter.scope, { devices, types: filteredTypes }, slice, collapsed)
    : pageOfTypes(db, filter.scope, filteredTypes, slice, collapsed)
}

/** Returns the condition that a column has one of the values; undefined if any value will do. */
const anyOfChosen = (column: SQLWrapper, values: readonly string[] | undefined) => values && anyOf(column, values)

const withoutIncident = isNull(notifications.incident_id)

async function pageOfIncident(db: Database, where: SQL | undefined, slice: Slice): Promise<Page> {
  return { count: await db.$count(notifications, where), lines: await newest(db, [newestOfAll(where, slice)], slice) }
}

async function pageOfDevices(
  db: Database,
  scope: SQL | undefined,
  { devices, types }: { readonly devices: readonly string[]; readonly types: readonly string[] | undefined },
  slice: Slice,
  collapsed: Collapsed | undefined,
): Promise<Page> {
  const where = and(scope, anyOfChosen(notifications.type, types))
  const matches = sql`from ${isolated(anyOfChosen(notifications.bssid, devices))} ${where && sql`where ${where}`}`
  const { incident_id } = notifications
  const matching = sql`${incidents.id} in (select ${incident_id} ${matches})`
  const lines = sql`select ${shownIncident(collapsed?.storms ?? false)} from ${incidents} where ${matching}`
  const counted = collapsed
    ? sql`count(*) filter (where ${withoutIncident}) + (select count(distinct line.id) from (${lines}) as line(id))`
    : sql`count(*)`
  const { rows } = await db.execute<{ n: number }>(sql`select (${counted})::integer as n ${matches}`)
  const count = rows[0]!.n
  if (count <= slice.offset) return { count, lines: [] }
  const filter = and(where, collapsed && withoutIncident)
  const parts = [
    newestOfEach({ column: notifications.bssid, values: devices, filter }, slice),
    ...(collapsed ? [newestIncidents(sql`${incidents.id} in (${lines})`, slice)] : []),
  ]
  return { count, lines: await newest(db, parts, slice) }
}

const name = sql.identifier(getTableName(notifications))
const newestFirst = sql`order by ${notifications.created_at} desc, ${notifications.id} desc`

/**
 * Returns a subquery that is planned separately: `offset 0` prevents the planner from merging outer conditions and
 * choosing their index, as it does without statistics.
 */
const isolated = (where: SQL | undefined, order = sql``) =>
  sql`(select * from ${notifications} where ${where} ${order} offset 0) as ${name}`

async function pageOfTypes(
  db: Database,
  scope: SQL | undefined,
  types: readonly string[] | undefined,
  slice: Slice,
  collapsed: Collapsed | undefined,
): Promise<Page> {
  const counts = await countsByType(db, scope)
  if (collapsed)
    for (const [type, fewer] of await collapsedByType(db, collapsed)) counts.set(type, (counts.get(type) ?? 0) - fewer)
  const all = sum([...counts.values()])
  const filter = types?.map(type => counts.get(type) ?? 0)
  const count = filter ? sum(filter) : all
  if (count <= slice.offset) return { count, lines: [] }
  // Rare types are read by the index of each type; for frequent ones a scan of all types finds enough rows.
  const needed = slice.offset + slice.limit
  const rowsToRead = filter && sum(filter.map(n => Math.min(n, needed)))
  const indexed = and(scope, collapsed && withoutIncident)
  const parts = [
    types && rowsToRead! < (needed * all) / count
      ? newestOfEach({ column: notifications.type, values: types, indexed }, slice)
      : newestOfAll(and(indexed, anyOfChosen(notifications.type, types)), slice),
    ...(collapsed
      ? [newestIncidents(and(collapsed.scope, hasLine(collapsed.storms), anyOfChosen(incidents.type, types)), slice)]
      : []),
  ]
  return { count, lines: await newest(db, parts, slice) }
}

async function countsByType(db: Database, scope: SQL | undefined): Promise<Map<string, number>> {
  // Aliased to the counted table, so that the same scope condition applies.
  const rows = await db
    .select({ type: sql<string>`${name}.type`, n: sql<number>`sum(${name}.count)::integer` })
    .from(sql`${notificationCounts} as ${name}`)
    .where(scope)
    .groupBy(sql`${name}.type`)
  return new Map(rows.map(({ type, n }) => [type, n]))
}

/** Returns by how much a collapsed list is shorter, for each type. */
async function collapsedByType(db: Database, { scope, storms }: Collapsed): Promise<ReadonlyMap<string, number>> {
  const lines = storms ? sql`count(*) filter (where ${hasLine(storms)})` : sql`count(*)`
  const rows = await db
    .select({ type: incidents.type, n: sql<number>`(sum(${incidents.notifications}) - ${lines})::integer` })
    .from(incidents)
    .where(scope)
    .groupBy(incidents.type)
  return new Map(rows.map(({ type, n }) => [type, n]))
}

/** Returns a slice of the newest rows of all parts, each of which has at least as many of its newest as are needed. */
async function newest(db: Database, parts: readonly SQL[], { offset, limit }: Slice): Promise<Line[]> {
  const all = sql.join(
    parts.map(part => sql`(${part})`),
    sql` union all `,
  )
  const { rows } = await db.execute<{ id: string; is_incident: boolean }>(sql`
    select id, is_incident from (${all}) as line order by created_at desc, id desc limit ${limit} offset ${offset}`)
  return rows.map(({ id, is_incident }) => ({ id, isIncident: is_incident }))
}

const newestOfAll = (where: SQL | undefined, { offset, limit }: Slice) => sql`
    select ${notifications.id}, ${notifications.created_at}, false as is_incident
    from ${notifications} ${where && sql`where ${where}`} ${newestFirst} limit ${offset + limit}`

const newestIncidents = (where: SQL | undefined, { offset, limit }: Slice) => sql`
    select ${incidents.id}, ${incidents.began_at} as created_at, true as is_incident
    from ${incidents} ${where && sql`where ${where}`}
    order by ${incidents.began_at} desc, ${incidents.id} desc limit ${offset + limit}`

interface NewestQuery {
  readonly column: PgColumn
  readonly values: readonly string[]
  /** A condition that the column's index covers. */
  readonly indexed?: SQL | undefined
  /** A condition that is checked row by row. */
  readonly filter?: SQL | undefined
}

/** Returns the newest rows of the values, merged from the newest of each, which are read by index. */
const newestOfEach = ({ column, values, indexed, filter }: NewestQuery, { offset, limit }: Slice) => sql`
    select newest.id, newest.created_at, false as is_incident
    from unnest(${sql.param(values)}::text[]) as value(key), lateral (
      select ${notifications.id}, ${notifications.created_at}
      from ${isolated(and(sql`${column} = value.key`, indexed), newestFirst)}
      ${filter && sql`where ${filter}`}
      ${newestFirst} limit ${offset + limit}
    ) as newest
    order by newest.created_at desc, newest.id desc limit ${offset + limit}`

/**
 * Pages of notifications, newest first, with the count of all matches. Few rows are read regardless of the total:
 * counts are stored by vendor and type, and the newest rows of a device, type or vendor are at the end of an index.
 */
import { and, getTableName, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { notificationTypes, type NotificationType } from '../../../src/domain/notifications/types.ts'
import type { Database } from '../../db/database.ts'
import { notificationCounts, notifications } from '../../db/schema/notifications.ts'

/** Filters; `undefined` does not filter. */
export interface NotificationFilter {
  readonly scope: SQL | undefined
  readonly types: readonly NotificationType[] | undefined
  readonly devices: readonly string[] | undefined
}

interface Slice {
  readonly offset: number
  readonly limit: number
}

export interface Page {
  readonly count: number
  readonly ids: string[]
}

/** Returns a page of notifications, newest first. */
export function newestPage(db: Database, filter: NotificationFilter, slice: Slice): Promise<Page> {
  const types = filter.types && [...new Set(filter.types)]
  // A filter that contains all types filters nothing.
  const filteredTypes = types && types.length < notificationTypes.length ? types : undefined
  return filter.devices
    ? pageOfDevices(db, filter.scope, { devices: [...new Set(filter.devices)], types: filteredTypes }, slice)
    : pageOfTypes(db, filter.scope, filteredTypes, slice)
}

const isOneOf = (column: SQLWrapper, values: readonly string[] | undefined) =>
  values && sql`${column} = any(${sql.param(values)}::text[])`

async function pageOfDevices(
  db: Database,
  scope: SQL | undefined,
  { devices, types }: { readonly devices: readonly string[]; readonly types: readonly string[] | undefined },
  slice: Slice,
): Promise<Page> {
  const where = and(scope, isOneOf(notifications.type, types))
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::integer as n from ${isolated(isOneOf(notifications.bssid, devices))} ${where && sql`where ${where}`}`)
  const count = rows[0]!.n
  if (count <= slice.offset) return { count, ids: [] }
  return { count, ids: await newestOfEach(db, { column: notifications.bssid, values: devices, filter: where }, slice) }
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
): Promise<Page> {
  const counts = await countsByType(db, scope)
  const all = sum([...counts.values()])
  const filter = types?.map(type => counts.get(type) ?? 0)
  const count = filter ? sum(filter) : all
  if (count <= slice.offset) return { count, ids: [] }
  // Rare types are read by the index of each type; for frequent ones a scan of all types finds enough rows.
  const needed = slice.offset + slice.limit
  const rowsToRead = filter && sum(filter.map(n => Math.min(n, needed)))
  const ids =
    types && rowsToRead! < (needed * all) / count
      ? await newestOfEach(db, { column: notifications.type, values: types, indexed: scope }, slice)
      : await newestOfAll(db, and(scope, isOneOf(notifications.type, types)), slice)
  return { count, ids }
}

async function countsByType(db: Database, scope: SQL | undefined): Promise<ReadonlyMap<string, number>> {
  // Aliased to the counted table, so that the same scope condition applies.
  const rows = await db
    .select({ type: sql<string>`${name}.type`, n: sql<number>`sum(${name}.count)::integer` })
    .from(sql`${notificationCounts} as ${name}`)
    .where(scope)
    .groupBy(sql`${name}.type`)
  return new Map(rows.map(({ type, n }) => [type, n]))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

async function newestOfAll(db: Database, where: SQL | undefined, { offset, limit }: Slice): Promise<string[]> {
  const rows = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(where)
    .orderBy(sql`${notifications.created_at} desc, ${notifications.id} desc`)
    .limit(limit)
    .offset(offset)
  return rows.map(({ id }) => id)
}

interface NewestQuery {
  readonly column: PgColumn
  readonly values: readonly string[]
  /** A condition that the column's index covers. */
  readonly indexed?: SQL | undefined
  /** A condition that is checked row by row. */
  readonly filter?: SQL | undefined
}

/** Returns the newest ids, merged from the newest rows of each value, which are read by index. */
async function newestOfEach(
  db: Database,
  { column, values, indexed, filter }: NewestQuery,
  { offset, limit }: Slice,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select newest.id from unnest(${sql.param(values)}::text[]) as value(key), lateral (
      select ${notifications.id}, ${notifications.created_at}
      from ${isolated(and(sql`${column} = value.key`, indexed), newestFirst)}
      ${filter && sql`where ${filter}`}
      ${newestFirst} limit ${offset + limit}
    ) as newest
    order by newest.created_at desc, newest.id desc limit ${limit} offset ${offset}`)
  return rows.map(({ id }) => id)
}

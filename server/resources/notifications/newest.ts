/**
 * A page of notifications, newest first, and the count of all that match. However many there are, few are looked at:
 * the counts stand by owner and type, and the newest of each device, type or owner stand at the end of an index.
 */
import { and, getTableName, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { notificationTypes, type NotificationType } from '../../../src/domain/notifications/types.ts'
import type { Database } from '../../db/database.ts'
import { notificationCounts, notifications } from '../../db/schema/notifications.ts'

/** Which of them; what is not given limits nothing. */
export interface Wanted {
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

export function newestPage(db: Database, wanted: Wanted, slice: Slice): Promise<Page> {
  const types = wanted.types && [...new Set(wanted.types)]
  // All of them are no limit.
  const some = types && types.length < notificationTypes.length ? types : undefined
  return wanted.devices
    ? pageOfDevices(db, wanted.scope, { devices: [...new Set(wanted.devices)], types: some }, slice)
    : pageOfTypes(db, wanted.scope, some, slice)
}

const oneOf = (column: SQLWrapper, values: readonly string[] | undefined) =>
  values && sql`${column} = any(${sql.param(values)}::text[])`

async function pageOfDevices(
  db: Database,
  scope: SQL | undefined,
  { devices, types }: { readonly devices: readonly string[]; readonly types: readonly string[] | undefined },
  slice: Slice,
): Promise<Page> {
  const where = and(scope, oneOf(notifications.type, types))
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::integer as n from ${apart(oneOf(notifications.bssid, devices))} ${where && sql`where ${where}`}`)
  const count = rows[0]!.n
  if (count <= slice.offset) return { count, ids: [] }
  return { count, ids: await newestOfEach(db, { column: notifications.bssid, values: devices, among: where }, slice) }
}

const name = sql.identifier(getTableName(notifications))
const newestFirst = sql`order by ${notifications.created_at} desc, ${notifications.id} desc`

/**
 * Notifications that hold the condition, found by its own index: `offset 0` keeps the database from mixing in what is
 * asked besides and taking an index of that, as it does where it has no statistics.
 */
const apart = (where: SQL | undefined, order = sql``) =>
  sql`(select * from ${notifications} where ${where} ${order} offset 0) as ${name}`

async function pageOfTypes(
  db: Database,
  scope: SQL | undefined,
  types: readonly string[] | undefined,
  slice: Slice,
): Promise<Page> {
  const counts = await countsByType(db, scope)
  const all = sum([...counts.values()])
  const wanted = types?.map(type => counts.get(type) ?? 0)
  const count = wanted ? sum(wanted) : all
  if (count <= slice.offset) return { count, ids: [] }
  // Rare types are gathered from the end of each; of frequent ones most of what lies on the way is wanted.
  const needed = slice.offset + slice.limit
  const gathered = wanted && sum(wanted.map(each => Math.min(each, needed)))
  const ids =
    types && gathered! < (needed * all) / count
      ? await newestOfEach(db, { column: notifications.type, values: types, within: scope }, slice)
      : await newestOfAll(db, and(scope, oneOf(notifications.type, types)), slice)
  return { count, ids }
}

async function countsByType(db: Database, scope: SQL | undefined): Promise<ReadonlyMap<string, number>> {
  // Under the name of what is counted, so that the same scope holds for both.
  const rows = await db
    .select({ type: sql<string>`${name}.type`, n: sql<number>`sum(${name}.count)::integer` })
    .from(sql`${notificationCounts} as ${name}`)
    .where(scope)
    .groupBy(sql`${name}.type`)
  return new Map(rows.map(({ type, n }) => [type, n]))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

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

interface Each {
  readonly column: PgColumn
  readonly values: readonly string[]
  /** What the column's index holds as well, and what is looked at row by row. */
  readonly within?: SQL | undefined
  readonly among?: SQL | undefined
}

/** Takes the newest of each value of the column, by its index, and of those the newest. */
async function newestOfEach(
  db: Database,
  { column, values, within, among }: Each,
  { offset, limit }: Slice,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select newest.id from unnest(${sql.param(values)}::text[]) as one(key), lateral (
      select ${notifications.id}, ${notifications.created_at}
      from ${apart(and(sql`${column} = one.key`, within), newestFirst)}
      ${among && sql`where ${among}`}
      ${newestFirst} limit ${offset + limit}
    ) as newest
    order by newest.created_at desc, newest.id desc limit ${limit} offset ${offset}`)
  return rows.map(({ id }) => id)
}

/**
 * Every list: from a query to the keys of one page and the count of all that match. Rows are then read by key.
 *
 * A page is cut from runs of rows that follow each other in the order: those with a value and those without one, or
 * one run for each name that rows share. So rows without a value come last in both directions, names sort without
 * being copied into every row, and a run is walked from its nearer end: the last page costs what the first does.
 */
import { and, count, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ListQuery, Columns } from '../../src/api/contract/endpoint.ts'
import { messages } from '../../src/domain/messages.ts'
import type { Database } from '../db/database.ts'
import { badRequest } from '../errors.ts'
import { searchCondition, type Searched } from './listSearch.ts'
import type * as z from 'zod/mini'

export interface ListColumn extends Searched {
  readonly order: Order
}
type Order =
  | { readonly by: SQLWrapper; readonly nullable?: boolean }
  /** By the name of a row that this one refers to. */
  | { readonly reference: PgColumn; readonly names: { table: PgTable; id: PgColumn; name: SQLWrapper } }

export interface Listed {
  readonly table: PgTable
  /** Ends every order. */
  readonly key: PgColumn
  readonly definition: Columns
  readonly columns: Readonly<Record<string, ListColumn>>
}

type Query = z.output<typeof ListQuery>
interface Page {
  readonly count: number
  readonly keys: string[]
}

/** Rows in sequence: `count` of them hold `where`; ordered by `by`, then the key. */
interface Run {
  readonly where: SQL | undefined
  readonly by: SQLWrapper | undefined
  readonly count: number
  /** For a run of one referred row. */
  readonly reference?: string
}

/** Throws a 400 for a column, a sort or a search text that does not fit. */
export async function listPage(db: Database, list: Listed, scope: SQL | undefined, query: Query): Promise<Page> {
  const where = and(scope, condition(list, query))
  const order: Order = query.sort === undefined ? { by: list.key } : column(list, 'Sort', query.sort).order
  const runs =
    'by' in order ? await runsByValue(db, list, where, order) : await runsByName(db, list, where, order, query)
  const total = runs.reduce((sum, run) => sum + run.count, 0)

  const keys: string[] = []
  for (const slice of slices(runs, order, query)) keys.push(...(await readSlice(db, list, where, slice, query)))
  return { count: total, keys }
}

function condition(list: Listed, query: Query): SQL | undefined {
  const name = query.column ?? list.definition.search
  const found = column(list, 'Column', name)
  // An empty search finds all, whatever the operator.
  if (query.search === undefined || query.search.trim() === '') return undefined
  return searchCondition(name, list.definition.by[name]!, found, query.operator, query.search)
}

function column(list: Listed, what: string, name: string): ListColumn {
  const names = Object.keys(list.definition.by)
  const found = names.includes(name) ? list.columns[name] : undefined
  if (found === undefined) throw badRequest(messages.oneOf(what, names))
  return found
}

async function runsByValue(
  db: Database,
  { table }: Listed,
  where: SQL | undefined,
  { by, nullable }: Extract<Order, { by: SQLWrapper }>,
): Promise<Run[]> {
  const matching = async (filter: SQL | undefined) => (await db.select({ n: count() }).from(table).where(filter))[0]!.n
  const all = await matching(where)
  if (!nullable) return [{ where: undefined, by, count: all }]
  const unknown = await matching(and(where, isNull(by)))
  return [
    { where: isNotNull(by), by, count: all - unknown },
    { where: isNull(by), by, count: unknown },
  ]
}

async function runsByName(
  db: Database,
  { table }: Listed,
  where: SQL | undefined,
  { reference, names }: Extract<Order, { reference: PgColumn }>,
  { direction }: Query,
): Promise<Run[]> {
  const groups = await db
    .select({ id: sql<string | null>`${reference}`, n: count() })
    .from(table)
    .where(where)
    .groupBy(reference)
  const counts = new Map(groups.map(group => [group.id, group.n]))
  const way = sql.raw(direction)
  const sorted = await db
    .select({ id: sql<string>`${names.id}` })
    .from(names.table)
    .orderBy(sql`${names.name} ${way}`, sql`${names.id} ${way}`)
  return [
    ...sorted.flatMap(({ id }): Run[] =>
      counts.has(id)
        ? [{ where: sql`${reference} = ${id}`, by: undefined, count: counts.get(id)!, reference: id }]
        : [],
    ),
    { where: isNull(reference), by: undefined, count: counts.get(null) ?? 0 },
  ]
}

interface Slice {
  readonly run: Run
  readonly start: number
  readonly take: number
}

/** The parts of runs that make the page. Whole runs of one name each join, so that few queries read many of them. */
function slices(runs: readonly Run[], order: Order, { offset, limit, direction }: Query): Slice[] {
  const parts: Slice[] = []
  let before = 0
  for (const run of runs) {
    const start = Math.max(0, offset - before)
    const take = Math.min(run.count, offset + limit - before) - start
    if (take > 0) parts.push({ run, start, take })
    before += run.count
  }
  if (!('reference' in order)) return parts
  const whole = parts.filter(({ run, take }) => run.reference !== undefined && take === run.count)
  if (whole.length < 2) return parts
  const inOrder = whole.map(({ run }) => run.reference!)
  const ids = direction === 'desc' ? inOrder.toReversed() : inOrder
  const take = whole.reduce((sum, part) => sum + part.take, 0)
  const listed = sql`array_position(${sql.param(ids)}::text[], ${order.reference}::text)`
  const joined = {
    run: { where: sql`${order.reference} = any(${sql.param(ids)}::text[])`, by: listed, count: take },
    start: 0,
    take,
  }
  return parts.flatMap(part => (part === whole[0] ? [joined] : whole.includes(part) ? [] : [part]))
}

async function readSlice(
  db: Database,
  { table, key }: Listed,
  where: SQL | undefined,
  { run, start, take }: Slice,
  { direction }: Query,
): Promise<string[]> {
  const fromEnd = run.count - start - take
  const backwards = fromEnd < start
  const way = sql.raw((direction === 'desc') === backwards ? 'asc' : 'desc')
  const by = run.by === undefined || run.by === key ? [] : [sql`${run.by} ${way}`]
  const rows = await db
    .select({ key: sql<string>`${key}` })
    .from(table)
    .where(and(where, run.where))
    .orderBy(...by, sql`${key} ${way}`)
    .limit(take)
    .offset(backwards ? fromEnd : start)
  const keys = rows.map(row => row.key)
  return backwards ? keys.reverse() : keys
}

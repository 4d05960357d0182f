/**
 * Lists: turns a query into the keys of a page and the count of all matches. Rows are then read by key.
 *
 * A page is assembled from runs of rows that are consecutive in the sort order: rows with and without a value, rows
 * that come first and the others, or one run for each referenced name. So rows without a value are always last, names can be sorted without copying them into
 * every row, and each run is read from its nearer end: the last page costs as much as the first.
 */
import { and, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { messages } from '../../../src/domain/messages.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { badRequest } from '../../core/errors.ts'
import type { ByValue, ListColumn, ListDefinition, SortOrder } from './listDefinition.ts'
import { estimateMatches, rememberCount } from './listEstimate.ts'
import { searchCondition } from './listSearch.ts'
import {
  isNearStart,
  partsOf,
  readSlice,
  type ListContext,
  type Part,
  type Query,
  type Run,
  type Slice,
} from './listSlice.ts'
import { countSource, hasStoredCounts, sourceOf, type CountSource } from './listSource.ts'
import { pageWithoutCount } from './listUncounted.ts'

interface Page {
  readonly count: number
  /** Present if the count is an estimate, which only a query that allows it gets. */
  readonly count_is?: 'estimate'
  readonly keys: string[]
}

/**
 * Returns the keys of a page and the total: `known` if the caller knows it without counting. Throws a 400 for an invalid
 * column, sort or search text.
 */
export async function listPage(
  db: Database,
  list: ListDefinition,
  scope: SQL | undefined,
  query: Query,
  known?: number,
): Promise<Page> {
  const search = searchOf(list, query)
  const sorted = query.sort ? findColumn(list, 'Sort', query.sort) : undefined
  const order: SortOrder = sorted?.order ?? list.defaultOrder ?? { by: list.key }
  const context: ListContext = {
    db,
    list,
    scope,
    where: and(scope, search?.test),
    searchesOther: search !== undefined && !isInOrder(list, search.column, order, query),
    query,
    from: sourceOf(list, search?.column, sorted),
  }
  const counted = 'by' in order ? sourceOf(list, search?.column) : context.from
  const counts = countSource(list, counted, scope, search?.column)
  if (known !== undefined && 'by' in order) return pageByValue(context, order, known)
  if (search === undefined || hasStoredCounts(list, search.column)) return exactPage(context, order, counts)
  if (query.count === 'estimate') {
    const count = await estimateMatches(context, sourceOf(list, search.column), search.test)
    // A page that reaches the estimated end is counted: there may be rows behind it.
    if (count !== undefined && query.offset + query.limit < count) {
      const keys = await pageWithoutCount(context, order)
      if (keys) return { count, count_is: 'estimate', keys }
    }
  }
  const page = await exactPage(context, order, counts)
  rememberCount(context, page.count)
  return page
}

/** Returns whether the matches of a searched column can be read from an index in the order of the page. */
function isInOrder({ key }: ListDefinition, column: ListColumn, order: SortOrder, { operator }: Query): boolean {
  if (!('by' in order)) return false
  return order.by === column.value || (column.isIndexedWithKey === true && operator === 'eq' && order.by === key)
}

async function exactPage(context: ListContext, order: SortOrder, counts: CountSource): Promise<Page> {
  if ('by' in order) return pageByValue(context, order, await countOf(context, counts))
  const runs = await runsByName(context, order, counts)
  return { count: sum(runs), keys: await readRuns(context, runs, order.reference) }
}

/**
 * Returns the tables and the condition of all rows that a search matches; without a search text, all rows. Throws a 400 for an
 * invalid column or search text.
 */
export function matchesOf(list: ListDefinition, query: Pick<Query, 'search' | 'column' | 'operator'>): Matches {
  const search = searchOf(list, query)
  return { tables: sourceOf(list, search?.column).tables, test: search?.test }
}

export interface Matches {
  readonly tables: SQL
  readonly test: SQL | undefined
}

/** Returns the searched column and its condition; `undefined` without a search text. */
function searchOf(
  list: ListDefinition,
  query: Pick<Query, 'search' | 'column' | 'operator'>,
): { column: ListColumn; test: SQL } | undefined {
  const name = query.column || list.definition.search
  const searched = findColumn(list, 'Column', name)
  // An empty search matches all rows, regardless of the operator.
  if (query.search === undefined || query.search.trim() === '') return undefined
  const test = searchCondition(name, list.definition.kinds[name]!, searched, query.operator, query.search)
  return { column: searched, test }
}

/** Returns a column by name. Throws a 400 if there is none; `parameter` names the query parameter. */
function findColumn(list: ListDefinition, parameter: string, name: string): ListColumn {
  const names = Object.keys(list.definition.kinds)
  const column = names.includes(name) ? list.columns[name] : undefined
  if (column === undefined) throw badRequest(messages.oneOf(parameter, names))
  return column
}

async function countOf({ db, where }: ListContext, { from, n }: CountSource): Promise<number> {
  return (await db.select({ n }).from(from).where(where))[0]!.n
}

/**
 * Returns a page of rows that are sorted by a value, in one part or two. Of two, first reads the page from the part at the
 * nearer end as if it were the only one, which usually succeeds without counting. Otherwise that part is short, so counting it
 * is cheap.
 */
async function pageByValue(context: ListContext, order: ByValue, count: number): Promise<Page> {
  const [former, latter] = partsOf(order)
  if (!latter) return { count, keys: await readRuns(context, [{ ...former, count }]) }
  const { offset, limit } = context.query
  const take = Math.min(limit, count - offset)
  if (take <= 0) return { count, keys: [] }
  const slice = (part: Part) => ({ run: { ...part, count }, start: offset, take })
  const near = isNearStart(slice(former)) ? former : latter
  const keys = await readSlice(context, slice(near))
  if (keys.length === take) return { count, keys }

  const { db, from, where } = context
  const n = await db.$count(from.tables, and(where, near.where))
  const before = near === former ? n : count - n
  const runs: Run[] = [
    { ...former, count: before },
    { ...latter, count: count - before, before },
  ]
  return { count, keys: await readRuns(context, runs) }
}

/** Returns one run for each referenced row, in the order of their names. */
async function runsByName(
  { db, where, query }: ListContext,
  { reference, names }: Extract<SortOrder, { reference: PgColumn }>,
  { from, n }: CountSource,
): Promise<Run[]> {
  const groups = await db
    .select({ id: qualified<string | null>(reference), n })
    .from(from)
    .where(where)
    .groupBy(reference)
  const counts = new Map(groups.map(group => [group.id, group.n]))
  const direction = sql.raw(query.direction)
  const sorted = await db
    .select({ id: sql<string>`${names.id}` })
    .from(names.table)
    .orderBy(sql`${names.name} ${direction}`, sql`${names.id} ${direction}`)
  return [
    ...sorted.flatMap(({ id }): Run[] =>
      counts.has(id)
        ? [{ where: sql`${reference} = ${id}`, by: undefined, count: counts.get(id)!, reference: id }]
        : [],
    ),
    { where: isNull(reference), by: undefined, count: counts.get(null) ?? 0 },
  ]
}

/** Returns a column with the name of its table, which a query builder omits if it knows of no join. */
const qualified = <T>(column: PgColumn) => sql<T>`${sql`${column}`}`

const sum = (runs: readonly Run[]) => runs.reduce((total, run) => total + run.count, 0)

/** Returns the keys of the page from all its runs; `reference` if each run has one referenced row. */
async function readRuns(context: ListContext, runs: readonly Run[], reference?: PgColumn): Promise<string[]> {
  const keys: string[] = []
  for (const slice of slices(runs, reference, context.query)) keys.push(...(await readSlice(context, slice)))
  return keys
}

/** Returns the slices of runs that form the page. Whole runs of referenced rows are merged into one query. */
function slices(runs: readonly Run[], reference: PgColumn | undefined, { offset, limit, direction }: Query): Slice[] {
  const parts: Slice[] = []
  let before = 0
  for (const run of runs) {
    const start = Math.max(0, offset - before)
    const take = Math.min(run.count, offset + limit - before) - start
    if (take > 0) parts.push({ run, start, take })
    before += run.count
  }
  if (reference === undefined) return parts
  const whole = parts.filter(({ run, take }) => run.reference !== undefined && take === run.count)
  if (whole.length < 2) return parts
  const inOrder = whole.map(({ run }) => run.reference!)
  const ids = direction === 'desc' ? inOrder.toReversed() : inOrder
  const take = whole.reduce((sum, part) => sum + part.take, 0)
  const listPosition = sql`array_position(${sql.param(ids)}::text[], ${reference}::text)`
  const joined = {
    run: { where: anyOf(reference, ids), by: listPosition, count: take },
    start: 0,
    take,
  }
  return parts.flatMap(part => (part === whole[0] ? [joined] : whole.includes(part) ? [] : [part]))
}

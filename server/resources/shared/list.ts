/**
 * Lists: turns a query into the keys of a page and the count of all matches. Rows are then read by key.
 *
 * A page is assembled from runs of rows that are consecutive in the sort order: rows with and without a value, or one
 * run for each referenced name. So rows without a value are always last, names can be sorted without copying them into
 * every row, and each run is read from its nearer end: the last page costs as much as the first.
 */
import { and, getTableName, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ListQuery, SearchColumns } from '../../../src/api/contract/endpoint.ts'
import { messages } from '../../../src/domain/messages.ts'
import type { Database } from '../../db/database.ts'
import { badRequest } from '../../core/errors.ts'
import { searchCondition, type SearchableValue } from './listSearch.ts'
import type * as z from 'zod/mini'

/** How a column is searched and sorted. */
export interface ListColumn extends SearchableValue {
  readonly order: SortOrder
}
type SortOrder =
  | { readonly by: SQLWrapper; readonly nullable?: boolean }
  /** Sorts by the name of a referenced row. */
  | { readonly reference: PgColumn; readonly names: { table: PgTable; id: PgColumn; name: SQLWrapper } }

/** A list: its table, key and columns. */
export interface ListDefinition {
  readonly table: PgTable
  /** The unique key, which is the last sort key. */
  readonly key: PgColumn
  readonly definition: SearchColumns
  readonly columns: Readonly<Record<string, ListColumn>>
  /** Stored counts, for a table that is too large to count on every call. */
  readonly tally?: Tally
}

/**
 * A table of stored counts. It has the list's reference and scope columns under the same names, and its rows add up to
 * the counts.
 */
export interface Tally {
  readonly table: PgTable
  readonly count: PgColumn
}

type Query = z.output<typeof ListQuery>
interface Page {
  readonly count: number
  readonly keys: string[]
}

/** Consecutive rows: the `count` rows that match `where`, sorted by `by` and then the key. */
interface Run {
  readonly where: SQL | undefined
  readonly by: SQLWrapper | undefined
  readonly count: number
  /** Id of the referenced row that all rows of the run share. */
  readonly reference?: string
}

/** Returns the keys of a page and the total. Throws a 400 for an invalid column, sort or search text. */
export async function listPage(
  db: Database,
  list: ListDefinition,
  scope: SQL | undefined,
  query: Query,
): Promise<Page> {
  const search = searchOf(list, query)
  const counts = countSource(list, scope, search?.column)
  const order: SortOrder = query.sort ? findColumn(list, 'Sort', query.sort).order : { by: list.key }
  const context: ListContext = { db, list, where: and(scope, search?.test), query }
  if ('by' in order) return pageByValue(context, order, await countOf(context, counts))
  const runs = await runsByName(context, order, counts)
  return { count: sum(runs), keys: await readRuns(context, runs, order.reference) }
}

/** Context of a list call. */
interface ListContext {
  readonly db: Database
  readonly list: ListDefinition
  readonly where: SQL | undefined
  readonly query: Query
}

/** Returns the searched column and its condition; `undefined` without a search text. */
function searchOf(list: ListDefinition, query: Query): { column: ListColumn; test: SQL } | undefined {
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

/** How to count rows: the expression `n` over `from`. */
interface CountSource {
  readonly from: SQL
  readonly n: SQL<number>
}

/** Counts from stored counts if these cover the searched column, otherwise from the rows. */
function countSource(
  { table, tally }: ListDefinition,
  scope: SQL | undefined,
  searched: ListColumn | undefined,
): CountSource {
  if (tally && (searched === undefined || 'reference' in searched.order)) {
    // Aliased to the list's table, so that the same conditions apply.
    const name = sql.identifier(getTableName(table))
    const counted = sql.identifier(tally.count.name)
    return { from: sql`${tally.table} as ${name}`, n: sql`coalesce(sum(${name}.${counted}), 0)::integer` }
  }
  // `ctid` is in no index, which forces a sequential scan. While rows change all the time, an index-only scan has
  // to check the visibility of almost every row, which takes three times as long on a large table.
  const rows = scope ? sql`*` : sql`${table}.ctid`
  return { from: sql`${table}`, n: sql`count(${rows})::integer` }
}

async function countOf({ db, where }: ListContext, { from, n }: CountSource): Promise<number> {
  return (await db.select({ n }).from(from).where(where))[0]!.n
}

/**
 * Returns a page of rows with a value followed by rows without one. First reads the page from the run at the nearer
 * end as if it were the only one, which usually succeeds without counting. Otherwise that run is short, so counting it
 * is cheap.
 */
async function pageByValue(
  context: ListContext,
  { by, nullable }: Extract<SortOrder, { by: SQLWrapper }>,
  count: number,
): Promise<Page> {
  if (!nullable) return { count, keys: await readRuns(context, [{ where: undefined, by, count }]) }
  const { offset, limit } = context.query
  const take = Math.min(limit, count - offset)
  if (take <= 0) return { count, keys: [] }
  const withValue = { where: isNotNull(by), by }
  const withoutValue = { where: isNull(by), by: undefined }
  const near = nearerEnd(offset, take, count) === 'start' ? withValue : withoutValue
  const keys = await readSlice(context, { run: { ...near, count }, start: offset, take })
  if (keys.length === take) return { count, keys }

  const { db, list, where } = context
  const n = await db.$count(list.table, and(where, near.where))
  const runs: Run[] = [withValue, withoutValue].map(run => ({ ...run, count: run === near ? n : count - n }))
  return { count, keys: await readRuns(context, runs) }
}

/** Returns one run for each referenced row, in the order of their names. */
async function runsByName(
  { db, where, query }: ListContext,
  { reference, names }: Extract<SortOrder, { reference: PgColumn }>,
  { from, n }: CountSource,
): Promise<Run[]> {
  const groups = await db
    .select({ id: sql<string | null>`${reference}`, n })
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

const sum = (runs: readonly Run[]) => runs.reduce((total, run) => total + run.count, 0)

/** Returns the keys of the page from all its runs; `reference` if each run has one referenced row. */
async function readRuns(context: ListContext, runs: readonly Run[], reference?: PgColumn): Promise<string[]> {
  const keys: string[] = []
  for (const slice of slices(runs, reference, context.query)) keys.push(...(await readSlice(context, slice)))
  return keys
}

interface Slice {
  readonly run: Run
  readonly start: number
  readonly take: number
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
    run: { where: sql`${reference} = any(${sql.param(ids)}::text[])`, by: listPosition, count: take },
    start: 0,
    take,
  }
  return parts.flatMap(part => (part === whole[0] ? [joined] : whole.includes(part) ? [] : [part]))
}

/** Returns the end of a run from which fewer rows have to be skipped. */
const nearerEnd = (start: number, take: number, count: number) => (count - start - take < start ? 'end' : 'start')

async function readSlice({ db, list, where, query }: ListContext, { run, start, take }: Slice): Promise<string[]> {
  const { table, key } = list
  const backwards = nearerEnd(start, take, run.count) === 'end'
  const direction = sql.raw((query.direction === 'desc') === backwards ? 'asc' : 'desc')
  const by = run.by === undefined || run.by === key ? [] : [sql`${run.by} ${direction}`]
  const rows = await db
    .select({ key: sql<string>`${key}` })
    .from(table)
    .where(and(where, run.where))
    .orderBy(...by, sql`${key} ${direction}`)
    .limit(take)
    .offset(backwards ? run.count - start - take : start)
  const keys = rows.map(row => row.key)
  return backwards ? keys.reverse() : keys
}

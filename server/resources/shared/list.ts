/**
 * Every list: from a query to the keys of one page and the count of all that match. Rows are then read by key.
 *
 * A page is cut from runs of rows that follow each other in the order: those with a value and those without one, or
 * one run for each name that rows share. So rows without a value come last in both directions, names sort without
 * being copied into every row, and a run is walked from its nearer end: the last page costs what the first does.
 */
import { and, getTableName, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ListQuery, SearchColumns } from '../../../src/api/contract/endpoint.ts'
import { messages } from '../../../src/domain/messages.ts'
import type { Database } from '../../db/database.ts'
import { badRequest } from '../../core/errors.ts'
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
  readonly definition: SearchColumns
  readonly columns: Readonly<Record<string, ListColumn>>
  /** For a table too large to count at every call. */
  readonly tally?: Tally
}

/**
 * Rows that stand for many of the list's. They have the columns of the list's references and scopes, by the same
 * names, and add up to the counts.
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
  const found = condition(list, query)
  const counts = counting(list, scope, found?.column)
  const order: Order = query.sort === undefined ? { by: list.key } : column(list, 'Sort', query.sort).order
  const all: Selected = { db, list, where: and(scope, found?.test), query }
  if ('by' in order) return pageByValue(all, order, await countOf(all, counts))
  const runs = await runsByName(all, order, counts)
  return { count: sum(runs), keys: await readRuns(all, runs, order.reference) }
}

/** What a call is about. */
interface Selected {
  readonly db: Database
  readonly list: Listed
  readonly where: SQL | undefined
  readonly query: Query
}

function condition(list: Listed, query: Query): { column: ListColumn; test: SQL } | undefined {
  const name = query.column ?? list.definition.search
  const found = column(list, 'Column', name)
  // An empty search finds all, whatever the operator.
  if (query.search === undefined || query.search.trim() === '') return undefined
  const test = searchCondition(name, list.definition.by[name]!, found, query.operator, query.search)
  return { column: found, test }
}

function column(list: Listed, what: string, name: string): ListColumn {
  const names = Object.keys(list.definition.by)
  const found = names.includes(name) ? list.columns[name] : undefined
  if (found === undefined) throw badRequest(messages.oneOf(what, names))
  return found
}

/** How rows are counted: `n` of what `from` holds. */
interface Counting {
  readonly from: SQL
  readonly n: SQL<number>
}

/** Counts by the tally where there is one that knows what is searched. */
function counting({ table, tally }: Listed, scope: SQL | undefined, searched: ListColumn | undefined): Counting {
  if (tally && (searched === undefined || 'reference' in searched.order)) {
    // Under the table's own name, so that what holds for the one holds for the other.
    const name = sql.identifier(getTableName(table))
    const counted = sql.identifier(tally.count.name)
    return { from: sql`${tally.table} as ${name}`, n: sql`coalesce(sum(${name}.${counted}), 0)::integer` }
  }
  // No index has `ctid`, so the rows are read as they lie. An index alone would have to ask for almost every entry
  // whether its row is still there, once rows change all the time: on a large table that takes three times as long.
  const rows = scope ? sql`*` : sql`${table}.ctid`
  return { from: sql`${table}`, n: sql`count(${rows})::integer` }
}

async function countOf({ db, where }: Selected, { from, n }: Counting): Promise<number> {
  return (await db.select({ n }).from(from).where(where))[0]!.n
}

/**
 * Rows with a value, then those without one. The page is looked for in the run at its nearer end, as if there were
 * no other: mostly it is there, and neither needs to be counted. Where it is not, that run is short and soon counted.
 */
async function pageByValue(
  all: Selected,
  { by, nullable }: Extract<Order, { by: SQLWrapper }>,
  count: number,
): Promise<Page> {
  if (!nullable) return { count, keys: await readRuns(all, [{ where: undefined, by, count }]) }
  const { offset, limit } = all.query
  const take = Math.min(limit, count - offset)
  if (take <= 0) return { count, keys: [] }
  const known = { where: isNotNull(by), by }
  const unknown = { where: isNull(by), by: undefined }
  const near = nearerEnd(offset, take, count) === 'start' ? known : unknown
  const keys = await readSlice(all, { run: { ...near, count }, start: offset, take })
  if (keys.length === take) return { count, keys }

  const { db, list, where } = all
  const n = await db.$count(list.table, and(where, near.where))
  const runs: Run[] = [known, unknown].map(run => ({ ...run, count: run === near ? n : count - n }))
  return { count, keys: await readRuns(all, runs) }
}

async function runsByName(
  { db, where, query }: Selected,
  { reference, names }: Extract<Order, { reference: PgColumn }>,
  { from, n }: Counting,
): Promise<Run[]> {
  const groups = await db
    .select({ id: sql<string | null>`${reference}`, n })
    .from(from)
    .where(where)
    .groupBy(reference)
  const counts = new Map(groups.map(group => [group.id, group.n]))
  const way = sql.raw(query.direction)
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

const sum = (runs: readonly Run[]) => runs.reduce((total, run) => total + run.count, 0)

/** The page's keys, from all the runs that it is in; `reference` where runs are of one name each. */
async function readRuns(all: Selected, runs: readonly Run[], reference?: PgColumn): Promise<string[]> {
  const keys: string[] = []
  for (const slice of slices(runs, reference, all.query)) keys.push(...(await readSlice(all, slice)))
  return keys
}

interface Slice {
  readonly run: Run
  readonly start: number
  readonly take: number
}

/** The parts of runs that make the page. Whole runs of one name each join, so that few queries read many of them. */
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
  const listed = sql`array_position(${sql.param(ids)}::text[], ${reference}::text)`
  const joined = {
    run: { where: sql`${reference} = any(${sql.param(ids)}::text[])`, by: listed, count: take },
    start: 0,
    take,
  }
  return parts.flatMap(part => (part === whole[0] ? [joined] : whole.includes(part) ? [] : [part]))
}

const nearerEnd = (start: number, take: number, count: number) => (count - start - take < start ? 'end' : 'start')

async function readSlice({ db, list, where, query }: Selected, { run, start, take }: Slice): Promise<string[]> {
  const { table, key } = list
  const backwards = nearerEnd(start, take, run.count) === 'end'
  const way = sql.raw((query.direction === 'desc') === backwards ? 'asc' : 'desc')
  const by = run.by === undefined || run.by === key ? [] : [sql`${run.by} ${way}`]
  const rows = await db
    .select({ key: sql<string>`${key}` })
    .from(table)
    .where(and(where, run.where))
    .orderBy(...by, sql`${key} ${way}`)
    .limit(take)
    .offset(backwards ? run.count - start - take : start)
  const keys = rows.map(row => row.key)
  return backwards ? keys.reverse() : keys
}

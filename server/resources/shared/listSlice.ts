/** Reads consecutive rows of a list from the nearest row whose position is known. */
import { and, is, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { PgColumn, PgDialect } from 'drizzle-orm/pg-core'
import type * as z from 'zod/mini'
import type { ListQuery } from '../../../src/api/contract/endpoint.ts'
import type { Database } from '../../db/database.ts'
import type { ByValue, ListDefinition } from './listDefinition.ts'
import type { Source } from './listSource.ts'
import { listMemoryOf, type Border } from './listMemory.ts'

export type Query = z.output<typeof ListQuery>

/** Context of a list call. */
export interface ListContext {
  readonly db: Database
  readonly list: ListDefinition
  /** The condition for the rows that the caller may see, which `where` contains. */
  readonly scope: SQL | undefined
  readonly where: SQL | undefined
  /** Whether no index has the rows that match `where` in the order of the page. */
  readonly searchesOther: boolean
  readonly query: Query
  /** The tables that store the columns of the query. */
  readonly from: Source
}

/** Consecutive rows: those that match `where`, sorted by `by` and then the key. */
export interface Part {
  readonly where: SQL | undefined
  readonly by: SQLWrapper | undefined
}

/** Returns the one or two parts of an order by value, from the first row on. */
export function partsOf({ by, nullable, first }: ByValue): readonly [Part, Part?] {
  if (first)
    return [
      { where: first, by },
      { where: sql`not (${first})`, by },
    ]
  if (!nullable) return [{ where: undefined, by }]
  return [
    { where: isNotNull(by), by },
    { where: isNull(by), by: undefined },
  ]
}

/** A part with its number of rows. */
export interface Run extends Part {
  /** Infinity if it is not known; the rows are then never read from the end. */
  readonly count: number
  /** Rows of the page's list before the run; 0 if absent. Borders are numbered from the start of the list. */
  readonly before?: number
  /** Id of the referenced row that all rows of the run share. */
  readonly reference?: string
}

export interface Slice {
  readonly run: Run
  readonly start: number
  readonly take: number
}

/** Matches of a run that are read before they are sorted, and rows that are skipped; a list may have another number. */
export const defaultFewMatches = 5_000

/** From where a slice is read: an end of the run, or the row at a border. */
interface Anchor {
  readonly backwards: boolean
  readonly border?: Border
  /** Whether the border's row belongs to the slice. */
  readonly isIn?: boolean
  /** Rows between the anchor and the slice. */
  readonly skip: number
}

/** Returns the ends of a run as anchors of a slice, the nearer one first. */
function endsOf({ run, start, take }: Slice): [Anchor, Anchor] {
  const first = { backwards: false, skip: start }
  const last = { backwards: true, skip: run.count - start - take }
  return last.skip < first.skip ? [last, first] : [first, last]
}

/** Returns whether a slice is read from the start of its run rather than the end. */
export const isNearStart = (slice: Slice): boolean => !endsOf(slice)[0].backwards

const startInList = ({ run, start }: Slice) => (run.before ?? 0) + start

/** Returns the rows before, after and at the ends of a slice from which it can be read. */
const anchorsAt = (borders: readonly Border[], slice: Slice): Anchor[] =>
  borders.flatMap((border): Anchor[] => {
    const fromStart = border.index - startInList(slice)
    const fromEnd = fromStart - (slice.take - 1)
    return [
      ...(fromStart <= 0
        ? [{ backwards: false, border, skip: Math.max(0, -fromStart - 1), isIn: fromStart === 0 }]
        : []),
      ...(fromEnd >= 0 ? [{ backwards: true, border, skip: Math.max(0, fromEnd - 1), isIn: fromEnd === 0 }] : []),
    ]
  })

const dialect = new PgDialect()
/** Returns a text that is the same for the same query. */
export const idOf = (query: SQL): string => JSON.stringify(dialect.sqlToQuery(query))
const whereOf = (condition: SQL | undefined) => (condition === undefined ? sql`` : sql`where ${condition}`)

/** Returns the keys of a slice; `undefined` if more than `maxSkip` rows would be skipped to reach it. */
export async function readSlice(context: ListContext, slice: Slice, maxSkip: number): Promise<string[] | undefined>
export async function readSlice(context: ListContext, slice: Slice): Promise<string[]>
export async function readSlice(
  { db, list, from, where, searchesOther, query }: ListContext,
  slice: Slice,
  maxSkip = Infinity,
): Promise<string[] | undefined> {
  const { run, take } = slice
  const { key, fewMatches = defaultFewMatches } = list
  const by = run.by === undefined || run.by === key ? undefined : run.by
  const matching = (condition: SQL | undefined) =>
    sql`select ${key} as key, ${by ?? sql`null`} as value from ${from.tables} ${whereOf(condition)}`
  const all = and(where, run.where)

  const [end] = endsOf(slice)
  const isDeep = end.skip > fewMatches
  const memory = listMemoryOf(db)
  const rowsId = isDeep ? query.direction + idOf(matching(all)) : ''
  const known = isDeep ? anchorsAt(memory.bordersOf(rowsId), slice) : []
  const anchor = known.reduce<Anchor>((nearest, other) => (other.skip < nearest.skip ? other : nearest), end)
  if (anchor.skip > maxSkip) return undefined

  const { backwards, border, isIn, skip } = anchor
  const isAscending = (query.direction === 'desc') === backwards
  const direction = sql.raw(isAscending ? 'asc' : 'desc')
  const order = by === undefined ? sql`key ${direction}` : sql`value ${direction}, key ${direction}`
  const fromBorder = border && rowsFrom(list, border, isAscending ? '>' : '<', isIn, by)
  // Because of `offset 0` PostgreSQL reads all matches first and then sorts them. Without, it may look for them among all
  // rows in their order, which takes longer if there are few, or if many rows have to be read to test and skip them.
  const readsFirst = run.count <= fewMatches || (searchesOther && skip > fewMatches)
  const page = sql`
    select key, value from (${matching(and(all, fromBorder))} ${readsFirst ? sql`offset 0` : sql``}) as matches
    order by ${order} limit ${take} offset ${skip}`
  // Converted outside, and so not for rows that are skipped.
  const { rows } = await db.execute<{ key: string; shown: string | null }>(
    sql`select key, value::text as shown from (${page}) as page`,
  )
  if (backwards) rows.reverse()
  if (isDeep && rows.length === take && take > 0) {
    const countedAt = border?.countedAt ?? memory.now()
    const borderAt = (index: number): Border => ({
      index: startInList(slice) + index,
      key: rows[index]!.key,
      value: rows[index]!.shown,
      countedAt,
    })
    memory.addBorders(rowsId, [borderAt(0), borderAt(take - 1)])
  }
  return rows.map(row => row.key)
}

/** Returns the condition for the rows on one side of a border, with the border's own row if `isIn` is set. */
function rowsFrom(
  { key, sideTable }: ListDefinition,
  border: Border,
  side: '>' | '<',
  isIn: boolean | undefined,
  by: SQLWrapper | undefined,
): SQL {
  const operator = sql.raw(isIn ? `${side}=` : side)
  if (by === undefined) return sql`${key} ${operator} ${border.key}`
  // The key of the table that has the value, because one index has both.
  const keyColumn = sideTable && is(by, PgColumn) && by.table === sideTable.table ? sideTable.key : key
  return sql`(${by}, ${keyColumn}) ${operator} (${border.value}, ${border.key})`
}

/** The state of each list: page, search, sort order and columns (specification, section 4, List behaviour). */
import { proxy } from 'valtio'
import {
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isRecordOf,
  isText,
  orMissing,
  type Checks,
} from '../domain/lib/checks.ts'
import { listDefinitions } from '../domain/lists/lists.ts'
import { persist } from './persist.ts'

/** The page sizes that can be chosen. */
export const limits = [20, 50, 100, 200, 500, 1000] as const
export type Direction = 'asc' | 'desc'

export interface ListState {
  page: number
  limit: number
  search: string
  /** The searched column; undefined is the list's default. */
  column: string | undefined
  operator: string
  sort: string | undefined
  direction: Direction
  /** The columns whose visibility differs from the default, by id. */
  shown: Record<string, boolean>
  /** All columns in the person's order; empty for the default order. See `orderedColumns`. */
  order: string[]
  /** The widths in pixels that differ from the default, by id. */
  widths: Record<string, number>
  /** The columns that stay at the left, besides the first one. */
  pinned: string[]
}

export const initialList = (): ListState => ({
  page: 1,
  limit: 20,
  search: '',
  column: undefined,
  operator: 'co',
  sort: undefined,
  direction: 'asc',
  shown: {},
  order: [],
  widths: {},
  pinned: [],
})

const stored = {
  page: (page): page is number => Number.isInteger(page) && Number(page) >= 1,
  limit: isOneOf<number>(limits),
  search: isText,
  column: orMissing(isText),
  operator: isText,
  sort: orMissing(isText),
  direction: isOneOf(['asc', 'desc']),
} satisfies Partial<Checks<ListState>>
/** The columns are stored under a separate name, because all tabs share their arrangement while each tab has its own search. */
export const storedColumns = {
  shown: isRecordOf(isFlag),
  order: isListOf(isText),
  widths: isRecordOf(isNumber),
  pinned: isListOf(isText),
} satisfies Partial<Checks<ListState>>

/** The kinds of rows, each with a list. */
export type Entity = keyof typeof listDefinitions
export const entities = Object.keys(listDefinitions) as readonly Entity[]

/** The entities whose list row is the whole record; only devices have a detail screen. */
export type RowEntity = Exclude<Entity, 'devices'>
export const rowEntities = entities.filter(entity => entity !== 'devices')

/** Returns one value for each entity. */
export const perEntity = <Value>(createValue: (entity: Entity) => Value): Readonly<Record<Entity, Value>> =>
  Object.fromEntries(entities.map(entity => [entity, createValue(entity)])) as Record<Entity, Value>

/** The name under which the columns of a list are stored. */
export const columnsName = (entity: Entity) => `columns:${entity}`

export const lists = perEntity(() => proxy(initialList()))
for (const entity of entities)
  persist(`list:${entity}`, lists[entity], stored, { name: columnsName(entity), checks: storedColumns })

export function setPage(list: ListState, page: number): void {
  list.page = Math.max(1, page)
}
export function setLimit(list: ListState, limit: number): void {
  list.limit = limit
  list.page = 1
}
export function setSearch(list: ListState, search: string): void {
  if (search === list.search) return
  list.search = search
  list.page = 1
}
/** Changes the search column or operator. Without a search text, neither the rows nor the page change. */
export function setSearchBy(list: ListState, by: { column?: string; operator?: string }): void {
  Object.assign(list, by)
  if (list.search !== '') list.page = 1
}
/** Returns the next sort direction of a column: it cycles through ascending, descending and none. */
export function nextDirection(list: Readonly<ListState>, column: string): Direction | 'none' {
  if (list.sort !== column) return 'asc'
  return list.direction === 'asc' ? 'desc' : 'none'
}
export function sortBy(list: ListState, column: string | undefined, direction: Direction): void {
  list.sort = column
  list.direction = direction
}
export function resetLists(): void {
  for (const entity of entities) Object.assign(lists[entity], initialList())
}

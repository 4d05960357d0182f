/** Reads pages of lists. Imports little code, so that the first page can be requested before the rest is loaded. */
import { quantities, withUnit } from '../domain/lists/amountSearch.ts'
import type { Entity, ListState } from '../store/lists.ts'
import { preferences } from '../store/preferences.ts'
import type { ListSearch } from '../store/selection.ts'
import { updatesSince, updateList } from './deviceUpdates.ts'
import { call } from './client.ts'
import type { Device } from './contract/devices.ts'
import type { List, ListQuery } from './contract/endpoint.ts'
import { listDefinitions } from '../domain/lists/lists.ts'
import { defaultLimit, type Operator } from '../domain/lists/query.ts'
import { columnsOf, type Row } from './lists.ts'

/** Returns a search as part of a list query; empty if it has no text. */
export const searchOf = ({ search, column, operator }: ListSearch): Pick<ListQuery, 'search' | 'column' | 'operator'> =>
  search ? { search, column, operator: operator as Operator } : {}

/** Returns the query for a page of a list. An amount that is searched for gets the chosen unit. */
export function queryOf(list: Readonly<ListState>, page = list.page): ListQuery {
  return {
    offset: (page - 1) * list.limit,
    limit: list.limit,
    ...searchOf(withUnit(list, preferences.units)),
    ...(list.sort ? { sort: list.sort, direction: list.direction } : {}),
  }
}

/**
 * Returns a query with all parameters, as list calls send them (specification, section 7). Cache keys are made of the
 * queries without, so that a search column that is chosen before a text is typed does not read the list again.
 */
const withDefaults = (
  entity: Entity,
  {
    offset = 0,
    limit = defaultLimit,
    search = '',
    column = columnsOf(entity).search,
    operator = 'co',
    sort = '',
    direction = 'asc',
    ...count
  }: ListQuery,
): ListQuery => ({ offset, limit, search, column, operator, sort, direction, ...count })

/**
 * Reads a page of an entity's list. The only place that derives the type of the rows from the entity. Converts an amount
 * that is searched for to its base unit; that code is loaded on demand, because few searches need it.
 */
export async function readList<E extends Entity>(
  entity: E,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<List<Row<E>>> {
  const requested = performance.now()
  const conversion =
    query.search && quantities[query.column ?? ''] ? await import('../domain/lists/amountInBase.ts') : undefined
  const converted = conversion ? conversion.searchInBaseUnit(query) : query
  const list = (await call(
    { method: 'GET', path: listDefinitions[entity].endpoint.path },
    {
      query: withDefaults(entity, converted),
      ...(signal && { signal }),
    },
  )) as List<Row<E>>
  if (entity !== 'devices') return list
  return updateList(list as List<Device>, updatesSince(requested)) as List<Row<E>>
}

/** Returns the query for a page that is shown: of how many rows a search finds, an estimate is enough there. */
export const shownQuery = (query: ListQuery): ListQuery => (query.search ? { ...query, count: 'estimate' } : query)

let earlyRequest: { key: string; response: Promise<List<unknown>> } | undefined
const keyOf = (entity: Entity, query: ListQuery) => JSON.stringify([entity, query])

/**
 * Requests a page before it is rendered, and resolves with it, or with undefined if that failed. The next
 * `readVisiblePage` with this query returns the same response or error.
 */
export function requestEarly<E extends Entity>(entity: E, query: ListQuery): Promise<List<Row<E>> | undefined> {
  const response = readList(entity, shownQuery(query))
  earlyRequest = { key: keyOf(entity, query), response }
  // `readVisiblePage` reports the error.
  return response.catch(() => undefined)
}

/** Reads the page on screen; the first time from the early request, if it has the same query. */
export function readVisiblePage<E extends Entity>(entity: E, query: ListQuery): Promise<List<Row<E>>> {
  const request = earlyRequest
  earlyRequest = undefined
  // The key contains the entity, so the rows have its type.
  return request?.key === keyOf(entity, query)
    ? (request.response as Promise<List<Row<E>>>)
    : readList(entity, shownQuery(query))
}

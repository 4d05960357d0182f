/**
 * Reading a page of a list. It needs little code, so that the first page can be asked for before the rest is loaded.
 */
import { quantities, withUnit } from '../domain/lists/amountSearch.ts'
import type { Entity, ListState } from '../store/lists.ts'
import { preferences } from '../store/preferences.ts'
import type { LiveQuery } from '../store/selection.ts'
import { updatesSince, updateList } from './deviceUpdates.ts'
import { call } from './client.ts'
import type { Device } from './contract/devices.ts'
import type { Endpoint, List, ListQuery, Operator } from './contract/endpoint.ts'
import { listEndpoints, type Row } from './lists.ts'

/** A search as part of a query; nothing where it finds all. */
export const searchOf = ({ search, column, operator }: LiveQuery): Pick<ListQuery, 'search' | 'column' | 'operator'> =>
  search ? { search, column, operator: operator as Operator } : {}

/** What a page of a list asks for; an amount that is searched for is typed in the chosen unit. */
export function queryOf(list: Readonly<ListState>, page = list.page): ListQuery {
  return {
    offset: (page - 1) * list.limit,
    limit: list.limit,
    ...searchOf(withUnit(list, preferences.units)),
    ...(list.sort ? { sort: list.sort, direction: list.direction } : {}),
  }
}

/**
 * The one place where the rows' type is taken from the entity: a call by a name that is not known until it is made; and
 * where an amount that is searched for is converted, which few searches need.
 */
export async function readList<E extends Entity>(
  entity: E,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<List<Row<E>>> {
  const endpoint: Endpoint = listEndpoints[entity]
  const asked = performance.now()
  const inBase =
    query.search && quantities[query.column ?? ''] ? await import('../domain/lists/amountInBase.ts') : undefined
  const sent = inBase ? inBase.searchInBaseUnit(query) : query
  const list = (await call(endpoint, { query: sent, ...(signal && { signal }) })) as List<Row<E>>
  if (entity !== 'devices') return list
  return updateList(list as List<Device>, updatesSince(asked)) as List<Row<E>>
}

let early: { key: string; answer: Promise<List<unknown>> } | undefined
const keyOf = (entity: Entity, query: ListQuery) => JSON.stringify([entity, query])

/** Asks for a page that is about to be shown; whoever shows it gets this answer, or this error. */
export function askEarly(entity: Entity, query: ListQuery): void {
  early = { key: keyOf(entity, query), answer: readList(entity, query) }
  // Told by whoever shows the page.
  early.answer.catch(() => undefined)
}

/** The page that is shown: what was asked for early, once, or else a new answer. */
export function readShown<E extends Entity>(entity: E, query: ListQuery): Promise<List<Row<E>>> {
  const asked = early
  early = undefined
  // The key holds the entity, so the rows are of its type.
  return asked?.key === keyOf(entity, query) ? (asked.answer as Promise<List<Row<E>>>) : readList(entity, query)
}

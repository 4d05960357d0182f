/** Responses of bulk calls. */
import type { BulkResponse, PreviousValues } from '../../../src/api/contract/endpoint.ts'

/** The error message of each id, or `undefined` if it succeeded. Ids that the caller may not see have no entry. */
export type Outcomes = ReadonlyMap<string, string | undefined>

/** The values of each id before the call. */
type Previous = ReadonlyMap<string, PreviousValues['values'] | undefined>

/**
 * Returns the response, in which each distinct id is either done or failed; an id without an outcome was not found.
 * `noun` names an item in messages, such as `Device`. `previous` are the values before the call; the response contains
 * those of successful ids.
 */
export function bulkResponse(
  noun: string,
  ids: readonly string[],
  outcomes: Outcomes,
  previous?: Previous,
): BulkResponse {
  const distinct = [...new Set(ids)]
  const failed = distinct.flatMap(id => {
    const message = outcomes.has(id) ? outcomes.get(id) : `${noun} not found`
    return message === undefined ? [] : [{ id, message }]
  })
  const response = { count: distinct.length - failed.length, total: distinct.length, failed }
  if (!previous) return response
  const done = distinct.filter(id => outcomes.has(id) && outcomes.get(id) === undefined)
  return { ...response, before: groupByValues(done, previous) }
}

/** Groups ids that had the same values. */
function groupByValues(ids: readonly string[], previous: Previous): PreviousValues[] {
  const groups = Map.groupBy(ids, id => JSON.stringify(previous.get(id)))
  return [...groups.values()].flatMap(group => {
    const values = previous.get(group[0] ?? '')
    return values ? [{ ids: group, values }] : []
  })
}

/** What a call on many ids answers. */
import type { BulkAnswer, PreviousValues } from '../../../src/api/contract/endpoint.ts'

/** Why each id failed, or `undefined` where it is done. Ids that the caller may not see have no entry. */
export type Outcomes = ReadonlyMap<string, string | undefined>

/**
 * Each id once, in the order given, in exactly one of done or failed; an id without an outcome was not found.
 * `what` names one of them: `Device`. `earlier` are the values that the ids had before; only those of what is done are
 * told.
 */
export function bulkAnswer(
  what: string,
  ids: readonly string[],
  outcomes: Outcomes,
  previous?: ReadonlyMap<string, PreviousValues['values']>,
): BulkAnswer {
  const distinct = [...new Set(ids)]
  const failed = distinct.flatMap(id => {
    const message = outcomes.has(id) ? outcomes.get(id) : `${what} not found`
    return message === undefined ? [] : [{ id, message }]
  })
  const answer = { count: distinct.length - failed.length, total: distinct.length, failed }
  if (!previous) return answer
  const done = distinct.filter(id => outcomes.has(id) && outcomes.get(id) === undefined)
  return { ...answer, before: groupByValues(done, previous) }
}

/** Ids that had the same values stand together. */
function groupByValues(
  ids: readonly string[],
  previous: ReadonlyMap<string, PreviousValues['values']>,
): PreviousValues[] {
  const groups = Map.groupBy(ids, id => JSON.stringify(previous.get(id)))
  return [...groups.values()].flatMap(group => {
    const values = previous.get(group[0] ?? '')
    return values ? [{ ids: group, values }] : []
  })
}

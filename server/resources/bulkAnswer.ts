/** What a call on many ids answers. */
import type { BulkAnswer } from '../../src/api/contract/endpoint.ts'

/** Why each id failed, or `undefined` where it is done. Ids that the caller may not see have no entry. */
export type Outcomes = ReadonlyMap<string, string | undefined>

/**
 * Each id once, in the order given, in exactly one of done or failed; an id without an outcome was not found.
 * `what` names one of them: `Device`.
 */
export function bulkAnswer(what: string, ids: readonly string[], outcomes: Outcomes): BulkAnswer {
  const distinct = [...new Set(ids)]
  const failed = distinct.flatMap(id => {
    const message = outcomes.has(id) ? outcomes.get(id) : `${what} not found`
    return message === undefined ? [] : [{ id, message }]
  })
  return { count: distinct.length - failed.length, total: distinct.length, failed }
}

/** Sends a bulk operation in chunks, a few calls at a time, with progress and an outcome for every id. */
import pLimit from 'p-limit'
import { ApiError } from '../../../api/errors.ts'
import type { BulkResponse, PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Progress } from '../../../api/readMatches.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { notSent, type OnEnded, type Outcome } from '../runs/outcome.ts'

/**
 * Returns the number of ids per call: small enough for visible progress and for cancelling between calls, large enough
 * to keep the number of calls low. The server accepts up to 1,000.
 */
export const chunkSize = (total: number): number => Math.min(200, Math.max(50, Math.ceil(total / 12)))
/**
 * The maximum number of concurrent calls of all commands together. A browser opens six connections to an HTTP/1.1
 * server; the event stream uses one of them, and lists need the others. More than one call, because a device that does
 * not answer delays its chunk by ten seconds.
 */
const maxCalls = 3
const limitCalls = pLimit(maxCalls)

/** Ids that one call is for. */
interface Group {
  readonly ids: readonly string[]
}

/** Resolves with the outcome of all ids. Rejects with the last ApiError if every call failed. */
export function inChunks(
  ids: readonly string[],
  progress: Progress,
  send: (ids: string[]) => Promise<BulkResponse>,
  onEnded?: OnEnded,
): Promise<Outcome> {
  const size = chunkSize(ids.length)
  const chunks = Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ({
    ids: ids.slice(index * size, (index + 1) * size),
  }))
  return inGroups(chunks, progress, chunk => send(chunk.ids), onEnded)
}

/** Sends a call for each group. Resolves with the outcome of all ids; rejects with the last ApiError if every call failed. */
export async function inGroups<Of extends Group>(
  groups: readonly Of[],
  progress: Progress,
  send: (group: Of) => Promise<BulkResponse>,
  onEnded: OnEnded = () => undefined,
): Promise<Outcome> {
  const total = groups.reduce((sum, { ids }) => sum + ids.length, 0)
  const done: string[] = []
  const failed: Failure[] = []
  const before: PreviousValues[] = []
  let unanswered = 0
  let lastError: ApiError | undefined
  const fail = (ids: readonly string[], message: string) => {
    const failures = ids.map(id => ({ id, message }))
    failed.push(...failures)
    onEnded([], failures)
  }
  const sendGroup = async (group: Of) => {
    try {
      const answer = await send(group)
      const refused = new Set(answer.failed.map(failure => failure.id))
      const succeeded = group.ids.filter(id => !refused.has(id))
      failed.push(...answer.failed)
      done.push(...succeeded)
      before.push(...(answer.before ?? []))
      onEnded(succeeded, answer.failed, answer.before)
    } catch (error) {
      // A failed call fails its own group only; the other groups continue.
      if (!(error instanceof ApiError)) throw error
      lastError = error
      unanswered += group.ids.length
      fail(group.ids, error.message)
    }
  }
  let next = 0
  const work = async () => {
    while (next < groups.length)
      await limitCalls(async () => {
        // The other workers may have sent the rest while this one waited.
        if (next >= groups.length) return
        const own = groups.slice(next, progress.signal.aborted ? groups.length : next + 1)
        next += own.length
        if (progress.signal.aborted) {
          const ids = own.flatMap(group => group.ids)
          fail(ids, notSent)
        } else await sendGroup(own[0]!)
        progress.report(done.length + failed.length, total)
      })
  }
  progress.report(0, total)
  try {
    await Promise.all(Array.from({ length: maxCalls }, work))
  } finally {
    // After an unexpected error in one worker, the others stop.
    next = groups.length
  }
  // If no call was answered, the whole run failed.
  if (lastError && unanswered === total) throw lastError
  return { done, failed, before }
}

/** Sends a bulk operation in chunks, a few calls at a time, with progress and an outcome for every id. */
import { ApiError } from '../../../api/errors.ts'
import type { BulkResponse, PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Progress } from '../../../api/readMatches.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { notSent, type Outcome } from '../runs/outcome.ts'
import { limitConcurrency } from '../../../domain/lib/limitConcurrency.ts'

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
const limitCalls = limitConcurrency(maxCalls)

/** Resolves with the outcome of all ids. Rejects with the last ApiError if every call failed. */
export async function inChunks(
  ids: readonly string[],
  progress: Progress,
  send: (ids: string[]) => Promise<BulkResponse>,
  /** Called with the ids of each finished call; `before` are the replaced values of those done. */
  onEnded: OnEnded = () => undefined,
): Promise<Outcome> {
  const size = chunkSize(ids.length)
  const done: string[] = []
  const failed: Failure[] = []
  const before: PreviousValues[] = []
  let unanswered = 0
  let lastError: ApiError | undefined
  const fail = (chunk: readonly string[], message: string) => {
    const failures = chunk.map(id => ({ id, message }))
    failed.push(...failures)
    onEnded([], failures)
  }
  const sendChunk = async (chunk: string[]) => {
    try {
      const answer = await send(chunk)
      const refused = new Set(answer.failed.map(failure => failure.id))
      const succeeded = chunk.filter(id => !refused.has(id))
      failed.push(...answer.failed)
      done.push(...succeeded)
      before.push(...(answer.before ?? []))
      onEnded(succeeded, answer.failed, answer.before)
    } catch (error) {
      // A failed call fails its own chunk only; the other chunks continue.
      if (!(error instanceof ApiError)) throw error
      lastError = error
      unanswered += chunk.length
      fail(chunk, error.message)
    }
  }
  let next = 0
  const work = async () => {
    while (next < ids.length)
      await limitCalls(async () => {
        // The other workers may have sent the rest while this one waited.
        if (next >= ids.length) return
        const chunk = ids.slice(next, progress.signal.aborted ? ids.length : next + size)
        next += chunk.length
        if (progress.signal.aborted) fail(chunk, notSent)
        else await sendChunk(chunk)
        progress.report(done.length + failed.length, ids.length)
      })
  }
  progress.report(0, ids.length)
  try {
    await Promise.all(Array.from({ length: maxCalls }, work))
  } finally {
    // After an unexpected error in one worker, the others stop.
    next = ids.length
  }
  // If no call was answered, the whole run failed.
  if (lastError && unanswered === ids.length) throw lastError
  return { done, failed, before }
}

export type OnEnded = (done: readonly string[], failed: readonly Failure[], before?: readonly PreviousValues[]) => void

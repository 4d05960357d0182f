/** Acting on many: in chunks, a few calls at a time, with progress, and with every id accounted for. */
import { ApiError } from '../../../api/errors.ts'
import type { BulkAnswer, PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Progress } from '../../../api/readMatches.ts'
import type { Failure } from '../../../store/overlays.ts'
import { notSent, type Outcome } from '../runs/outcome.ts'
import { limitConcurrency } from './limitConcurrency.ts'

/**
 * How many ids go into a call: few enough that progress is seen and that there is something left to cancel, many enough
 * that few calls are made. The server takes up to 1,000.
 */
export const chunkSize = (all: number): number => Math.min(200, Math.max(50, Math.ceil(all / 12)))
/**
 * Calls under way, of all commands together: to a server that speaks HTTP/1.1 a browser has six connections, one of
 * which is the stream's, and lists want to be read meanwhile. More than one, because one device that does not answer
 * holds up its chunk for ten seconds.
 */
const maxCalls = 3
const inTurn = limitConcurrency(maxCalls)

export async function inChunks(
  ids: readonly string[],
  progress: Progress,
  send: (ids: string[]) => Promise<BulkAnswer>,
  /** Hears of ids as they come to their end. */
  ended: Ended = () => undefined,
): Promise<Outcome> {
  const size = chunkSize(ids.length)
  const done: string[] = []
  const failed: Failure[] = []
  const before: PreviousValues[] = []
  let lost = 0
  let lostBy: ApiError | undefined
  const fail = (those: readonly string[], message: string) => {
    const failures = those.map(id => ({ id, message }))
    failed.push(...failures)
    ended([], failures)
  }
  const act = async (chunk: string[]) => {
    try {
      const answer = await send(chunk)
      const refused = new Set(answer.failed.map(failure => failure.id))
      const did = chunk.filter(id => !refused.has(id))
      failed.push(...answer.failed)
      done.push(...did)
      before.push(...(answer.before ?? []))
      ended(did, answer.failed, answer.before)
    } catch (error) {
      // A chunk lost on the way is so many failures, not the end of the others.
      if (!(error instanceof ApiError)) throw error
      lostBy = error
      lost += chunk.length
      fail(chunk, error.message)
    }
  }
  let next = 0
  const work = async () => {
    while (next < ids.length)
      await inTurn(async () => {
        // The turn may have come after the others had taken what was left.
        if (next >= ids.length) return
        const chunk = ids.slice(next, progress.signal.aborted ? ids.length : next + size)
        next += chunk.length
        if (progress.signal.aborted) fail(chunk, notSent)
        else await act(chunk)
        progress.at(done.length + failed.length, ids.length)
      })
  }
  progress.at(0, ids.length)
  try {
    await Promise.all(Array.from({ length: maxCalls }, work))
  } finally {
    // Where one broke off, the others send no more.
    next = ids.length
  }
  // None of them answered: that is a plain error.
  if (lostBy && lost === ids.length) throw lostBy
  return { done, failed, before }
}

/** `before` are the values that were replaced of those done. */
type Ended = (done: readonly string[], failed: readonly Failure[], before?: readonly PreviousValues[]) => void

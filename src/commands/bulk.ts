/** Acting on many: in chunks, a few calls at a time, with progress, and with every id accounted for. */
import { ApiError } from '../api/errors.ts'
import type { BulkAnswer } from '../api/contract/endpoint.ts'
import type { Progress } from '../api/matching.ts'
import type { Failure } from '../store/overlays.ts'
import type { Outcome } from './command.ts'

/** Small enough that progress is seen and cancelling soon takes effect; the server takes up to 1,000. */
const chunkSize = 200
const atOnce = 6
const cancelled = 'Cancelled before it was sent'

export async function inChunks(
  ids: readonly string[],
  progress: Progress,
  send: (ids: string[]) => Promise<BulkAnswer>,
): Promise<Outcome> {
  const done: string[] = []
  const failed: Failure[] = []
  progress.at(0, ids.length)
  for (let start = 0; start < ids.length; start += chunkSize) {
    const chunk = ids.slice(start, start + chunkSize)
    if (progress.signal.aborted) {
      failed.push(...chunk.map(id => ({ id, message: cancelled })))
      continue
    }
    try {
      const answer = await send(chunk)
      const refused = new Set(answer.failed.map(failure => failure.id))
      failed.push(...answer.failed)
      done.push(...chunk.filter(id => !refused.has(id)))
    } catch (error) {
      // A chunk lost on the way is so many failures, not the end of the others; nothing done at all is a plain error.
      if (!(error instanceof ApiError) || ids.length <= chunkSize) throw error
      failed.push(...chunk.map(id => ({ id, message: error.message })))
    }
    progress.at(done.length + failed.length, ids.length)
  }
  return { done, failed }
}

export async function forEachId(
  ids: readonly string[],
  progress: Progress,
  send: (id: string) => Promise<unknown>,
): Promise<Outcome> {
  const done: string[] = []
  const failed: Failure[] = []
  const waiting = [...ids]
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        if (progress.signal.aborted) throw new ApiError(0, cancelled)
        await send(id)
        done.push(id)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        failed.push({ id, message: error.message })
      }
      progress.at(done.length + failed.length, ids.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, work))
  return { done, failed }
}

/** Carries out a bulk operation: by calls in chunks, or as a job of the server. */
import type { call } from '../../../api/client.ts'
import { followJob, type ChosenPolicy } from '../../../api/jobs/jobs.ts'
import type { Progress } from '../../../api/readMatches.ts'
import { retryCount } from '../../../domain/jobs/counts.ts'
import { readOutcome } from '../runs/jobOutcome.ts'
import type { RemoteProgress } from '../runs/jobs.ts'
import type { OnEnded, Outcome } from '../runs/outcome.ts'
import type { BulkOperation, ServerJob } from '../types.ts'
import { inChunks } from './chunks.ts'
import { routeOf } from './serverJob.ts'

export interface CarryOutOptions {
  readonly call: typeof call
  readonly progress: Progress
  /** The policy of a job of the server. */
  readonly policy: ChosenPolicy | undefined
  /** Called with the ids of each finished call. */
  readonly onEnded?: OnEnded
  /** Called with the id of a job of the server once it is created, and with its progress and the number of its devices. */
  readonly onJob?: (id: string, progress: RemoteProgress, total?: number) => void
  /** Reads the ids of the devices that a job has found by its search, if they were not known before. */
  readonly devicesOf?: (id: string) => Promise<readonly string[]>
}

/**
 * Resolves with the outcome of all ids; if a job continues on the server, with the outcome until now. Rejects with
 * ApiError if nothing was done.
 */
export function carryOut(operation: BulkOperation, ids: readonly string[], options: CarryOutOptions): Promise<Outcome> {
  if (operation.own) return operation.own.carryOut(ids, options)
  const route = routeOf(operation, ids.length, options.policy)
  return route.job
    ? runJob(route.job, ids, options)
    : inChunks(
        ids,
        options.progress,
        chunk => route.send(chunk, { call: options.call, preview: false }),
        options.onEnded,
      )
}

async function runJob(
  serverJob: ServerJob,
  ids: readonly string[],
  { progress, policy, onJob, devicesOf }: CarryOutOptions,
): Promise<Outcome> {
  progress.report(0, ids.length)
  const id = await serverJob.create(ids, policy)
  onJob?.(id, { done: 0, failed: 0 })
  // Read while the devices do the job, which may take long.
  const found = ids.length === 0 ? devicesOf?.(id) : undefined
  const job = await followJob(id, {
    signal: progress.signal,
    report(now) {
      const { done, skipped } = now.counts
      progress.report(done + retryCount(now), now.total)
      // The run has counted those that its preview has skipped.
      onJob?.(id, { done, failed: retryCount(now) - skipped }, now.total)
    },
  })
  const known = (await found) ?? ids
  // A job whose devices the server has found may have others than these.
  return readOutcome(job, job.total === known.length ? known : undefined)
}

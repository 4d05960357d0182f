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
  /** The policy of the job, if the server carries the operation out as one. */
  readonly policy: ChosenPolicy | undefined
  /** Called with the outcome of each call once it has ended; never for a job of the server. */
  readonly onEnded?: OnEnded
  /**
   * Called with the id and progress of a job of the server: first when it is created, then each time it is read, with the number
   * of its devices.
   */
  readonly onJob?: (id: string, progress: RemoteProgress, total?: number) => void
  /** Reads the ids of the devices of a job; called if `ids` are empty, because the server finds them by a search. */
  readonly devicesOf?: (id: string) => Promise<readonly string[]>
}

/**
 * Carries out an operation and resolves with the outcome of each id; if a job goes on at the server, with the outcome so far. Once
 * `progress.signal` is aborted, no more calls are made, or the job is cancelled: ids that were not sent count as failed. Rejects
 * with an Error if there are too many ids for a job, and with ApiError if every call failed, or if the server refuses to create the
 * job or to show it.
 */
export async function carryOut(
  operation: BulkOperation,
  ids: readonly string[],
  options: CarryOutOptions,
): Promise<Outcome> {
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
  // Reading the ids of many devices takes long, so it goes on while the job does.
  const found = ids.length === 0 ? devicesOf?.(id) : undefined
  // It is awaited below, but not if the job cannot be followed.
  found?.catch(() => undefined)
  const job = await followJob(id, {
    signal: progress.signal,
    report(now) {
      const { done, skipped } = now.counts
      progress.report(done + retryCount(now), now.total)
      // The console's job already counts what its preview skipped, so these are not reported as failed again.
      onJob?.(id, { done, failed: retryCount(now) - skipped }, now.total)
    },
  })
  const known = (await found) ?? ids
  // If the server found the devices, they may have changed since their ids were read; then `readOutcome` reads all tasks.
  return readOutcome(job, job.total === known.length ? known : undefined)
}

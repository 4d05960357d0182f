/** Carries out a bulk operation: by calls in chunks, or as a job of the server. */
import type { call } from '../../../api/client.ts'
import type { JobPolicy } from '../../../api/contract/jobPolicy.ts'
import type { Job, Task } from '../../../api/contract/jobs.ts'
import { failedCount, followJob, readTasks } from '../../../api/jobs/jobs.ts'
import type { CallProgress } from '../../../api/progress.ts'
import type { Progress } from '../../../api/readMatches.ts'
import { openStates, taskStateNames } from '../../../domain/columns/jobs.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { formatDateTime } from '../../../domain/format.ts'
import { notSent, type Outcome } from '../runs/outcome.ts'
import type { BulkOperation, ServerJob } from '../types.ts'
import { inChunks, type OnEnded } from './chunks.ts'
import { routeOf } from './operation.ts'

export interface CarryOutOptions {
  readonly call: typeof call
  readonly progress: Progress
  /** The policy of a job of the server. */
  readonly policy: JobPolicy | undefined
  /** Called with the ids of each finished call. */
  readonly onEnded?: OnEnded
  /** Called with the id of a job of the server once it is created, and with its progress. */
  readonly onJob?: (id: string, progress: CallProgress) => void
}

/**
 * Resolves with the outcome of all ids; if a job continues on the server, with the outcome until now. Rejects with
 * ApiError if nothing was done.
 */
export function carryOut(operation: BulkOperation, ids: readonly string[], options: CarryOutOptions): Promise<Outcome> {
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
  { progress, policy = {}, onJob }: CarryOutOptions,
): Promise<Outcome> {
  progress.report(0, ids.length)
  const id = await serverJob.create(ids, policy)
  onJob?.(id, { done: 0, failed: 0 })
  const job = await followJob(id, {
    signal: progress.signal,
    report(now) {
      const failed = failedCount(now)
      progress.report(now.counts.done + failed, ids.length)
      onJob?.(id, { done: now.counts.done, failed })
    },
  })
  return outcomeOfJob(job, ids)
}

/** Returns what became of each device of a job. */
async function outcomeOfJob(job: Job, ids: readonly string[]): Promise<Outcome> {
  if (job.counts.done === job.total) return { done: ids, failed: [] }
  const others = await readTasks(job._id, 'ne', 'done')
  const otherIds = new Set(others.map(({ bssid }) => bssid))
  const isOpen = ({ state }: Task) => openStates.includes(state)
  return {
    done: ids.filter(id => !otherIds.has(id)),
    failed: others.filter(task => !isOpen(task)).map(failureOf),
    ...(job.state !== 'ended' && { continues: continuesText(job) }),
  }
}

const failureOf = ({ bssid, state, reason }: Task): Failure => ({
  id: bssid,
  message: state === 'cancelled' ? notSent : (reason ?? taskStateNames[state]),
})

/** Returns what a job that has not ended waits for: `3 of 40 done, 2 wait for their device`. */
function continuesText({ state, reason, counts, total, start_at, next_wave_at }: Job): string {
  const number = (count: number) => count.toLocaleString('en')
  const done = `${number(counts.done)} of ${number(total)} done`
  if (state === 'scheduled') return `starts ${formatDateTime(start_at)}`
  if (state === 'paused') return `${done}, paused${reason === null ? '' : `: ${reason}`}`
  if (next_wave_at !== null) return `${done}, the next wave starts ${formatDateTime(next_wave_at)}`
  if (counts.waiting > 0)
    return `${done}, ${number(counts.waiting)} ${counts.waiting === 1 ? 'waits for its device' : 'wait for their devices'}`
  return `${done}, continues on the server`
}

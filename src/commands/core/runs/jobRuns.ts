/** Starts, updates and ends jobs. */
import { ref } from 'valtio'
import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Entity } from '../../../store/lists.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { jobs, noProgress, withoutIds, type Job, type JobDetail } from './jobs.ts'
import { notSent, type Outcome } from './outcome.ts'

/** The parameters of a new job. */
export interface JobStart extends Pick<JobDetail, 'targets' | 'input' | 'again' | 'inverse'> {
  /** The command's id. */
  readonly command: string
  readonly title: string
  readonly entity: Entity
  /** The targets that it does not act on, each with the reason. */
  readonly skipped: readonly Failure[]
  /** The number of targets, if they have not been read. */
  readonly total?: number
}

/** The maximum number of jobs that a page keeps, as each keeps its targets; running ones are always kept. */
const maxJobs = 100
let serial = 0

/** Adds a running job to the list and returns it. */
export function beginJob({ command, title, entity, skipped, total, ...rest }: JobStart): Job {
  const job: Job = {
    id: `${Date.now().toString(36)}-${serial++}`,
    title,
    command,
    entity,
    detail: ref({
      ...rest,
      skipped: new Set(skipped.map(({ id }) => id)),
      ended: new Map(skipped.map(({ id, message }) => [id, message])),
      before: [],
      restored: new Set<string>(),
      cancel: new AbortController(),
    }),
    startedAt: Date.now(),
    endedAt: undefined,
    state: 'running',
    total: total ?? rest.targets.length,
    done: 0,
    failed: skipped.length,
    inFlight: noProgress,
    cancelling: false,
    message: undefined,
    undone: false,
  }
  jobs.list = [job, ...jobs.list.filter(({ state }, index) => state === 'running' || index < maxJobs - 1)]
  // The entry of the list is the proxy, whose changes are observed.
  const tracked = jobs.list[0] ?? job
  job.detail.cancel.signal.addEventListener('abort', () => (tracked.cancelling = true))
  return tracked
}

/** Records the outcome of some targets. Their previous values are stored at once, in case the job breaks off. */
export function recordOutcomes(
  job: Job,
  done: readonly string[],
  failed: readonly Failure[],
  before: readonly PreviousValues[] = [],
): void {
  for (const id of done) job.detail.ended.set(id, undefined)
  for (const { id, message } of failed) job.detail.ended.set(id, message)
  job.detail.before = [...job.detail.before, ...before]
  job.done += done.length
  job.failed += failed.length
}

/**
 * Drops the previous values of earlier jobs that this job has replaced irreversibly: undoing the earlier job would
 * overwrite the newer values.
 */
function supersede(by: Job): void {
  const { inverse, before } = by.detail
  const irreversible = before.filter(({ values }) => !inverse?.(values))
  if (irreversible.length === 0) return
  for (const older of jobs.list) {
    if (older.id === by.id || older.entity !== by.entity || older.startedAt > by.startedAt) continue
    older.detail.before = irreversible.reduce<readonly PreviousValues[]>(
      (remaining, { ids, values }) =>
        remaining.flatMap(part =>
          Object.keys(values).some(name => name in part.values) ? withoutIds(new Set(ids), [part]) : [part],
        ),
      older.detail.before,
    )
  }
}

/** Ends a job. Without `outcome`, all targets without a result have succeeded, or failed with `error`. */
export function endJob(
  job: Job,
  how: {
    outcome?: Outcome | undefined
    before?: readonly PreviousValues[]
    message?: string | undefined
    error?: string
  },
): void {
  const { detail } = job
  if (how.outcome) settleJob(detail, how.outcome)
  else for (const { id } of detail.targets) if (!detail.ended.has(id)) detail.ended.set(id, how.error)
  job.failed = [...detail.ended.values()].filter(reason => reason !== undefined).length
  job.done = detail.ended.size - job.failed
  job.inFlight = noProgress
  // Most of the previous values have already been recorded during the run.
  const recorded = new Set(detail.before.flatMap(({ ids }) => ids))
  detail.before = [...detail.before, ...withoutIds(recorded, how.before ?? [])]
  supersede(job)
  job.message = how.message ?? how.error
  job.endedAt = Date.now()
  job.state = how.error !== undefined ? 'broken' : hasUnsent(detail) ? 'cancelled' : 'done'
}

/** Whether ids were not sent. A job that was cancelled too late has none, so it counts as done. */
const hasUnsent = ({ ended }: JobDetail): boolean => [...ended.values()].includes(notSent)

function settleJob(detail: JobDetail, { done, failed }: Outcome): void {
  for (const id of done) detail.ended.set(id, undefined)
  for (const { id, message } of failed) detail.ended.set(id, message)
}

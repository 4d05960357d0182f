/** A job from its beginning to its end. */
import { ref } from 'valtio'
import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Entity } from '../../../store/lists.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { jobs, noneEnded, without, type Job, type JobDetail } from './jobs.ts'
import { notSent, type Outcome } from './outcome.ts'

/** What a job begins with. */
export interface Begun extends Pick<JobDetail, 'targets' | 'input' | 'again' | 'inverse'> {
  /** The command's id. */
  readonly command: string
  readonly title: string
  readonly entity: Entity
  /** Those of the targets that it leaves alone. */
  readonly skipped: readonly Failure[]
}

let serial = 0

export function beginJob({ command, title, entity, skipped, ...of }: Begun): Job {
  const job: Job = {
    id: `${Date.now().toString(36)}-${serial++}`,
    title,
    command,
    entity,
    detail: ref({
      ...of,
      skipped: new Set(skipped.map(({ id }) => id)),
      ended: new Map(skipped.map(({ id, message }) => [id, message])),
      before: [],
      cancel: new AbortController(),
    }),
    startedAt: Date.now(),
    endedAt: undefined,
    state: 'running',
    total: of.targets.length,
    done: 0,
    failed: skipped.length,
    meanwhile: noneEnded,
    cancelling: false,
    message: undefined,
    undone: false,
  }
  jobs.list.unshift(job)
  // The one in the list is the proxy, whose changes are seen.
  const begun = jobs.list[0] ?? job
  job.detail.cancel.signal.addEventListener('abort', () => (begun.cancelling = true))
  return begun
}

/** Some of its targets have come to their end; what was replaced of them is kept at once, however it goes on. */
export function jobEnded(
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

/** What a run has replaced for good cannot be replaced by what was there before an earlier run. */
function supersede(by: Job): void {
  const { inverse, before } = by.detail
  const lost = before.filter(({ values }) => !inverse?.(values))
  if (lost.length === 0) return
  for (const older of jobs.list) {
    if (older.id === by.id || older.entity !== by.entity || older.startedAt > by.startedAt) continue
    older.detail.before = lost.reduce<readonly PreviousValues[]>(
      (left, { ids, values }) =>
        left.flatMap(part =>
          Object.keys(values).some(name => name in part.values) ? without(new Set(ids), [part]) : [part],
        ),
      older.detail.before,
    )
  }
}

/** It is over; `outcome` where it came to each target on its own, else all of them ended alike. */
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
  job.meanwhile = noneEnded
  // Most of it, where not all, was told as it went on.
  const told = new Set(detail.before.flatMap(({ ids }) => ids))
  detail.before = [...detail.before, ...without(told, how.before ?? [])]
  supersede(job)
  job.message = how.message ?? how.error
  job.endedAt = Date.now()
  job.state = how.error !== undefined ? 'broken' : leftUnsent(detail) ? 'cancelled' : 'done'
}

/** What was cancelled too late has done all that was asked of it. */
const leftUnsent = ({ ended }: JobDetail): boolean => [...ended.values()].includes(notSent)

function settleJob(detail: JobDetail, { done, failed }: Outcome): void {
  for (const id of done) detail.ended.set(id, undefined)
  for (const { id, message } of failed) detail.ended.set(id, message)
}

/** What came of a job's targets: counted, filtered, and in words. Pure. */
import { toFixed, shortDateTime } from '../../domain/format.ts'
import { countOf } from '../core/wording.ts'
import { byReason, type ReasonGroup } from '../core/reasons.ts'
import type { AnyItem } from '../../store/selection.ts'
import { endedOf, type Job, type JobState, type OutcomeFilter } from '../core/runs/jobs.ts'

export type OutcomeKind = Exclude<OutcomeFilter, 'all'>
export const outcomeKinds = ['done', 'failed', 'skipped', 'waiting'] as const satisfies readonly OutcomeKind[]

/** What became of one target. */
export interface TargetOutcome {
  readonly item: AnyItem
  readonly kind: OutcomeKind
  /** Why it failed, or was left alone. */
  readonly reason: string | undefined
}

type Looked = Pick<Job, 'detail' | 'state'>

export function outcomeOf({ detail: { ended, skipped } }: Looked, item: AnyItem): TargetOutcome {
  if (!ended.has(item.id)) return { item, kind: 'waiting', reason: undefined }
  const reason = ended.get(item.id)
  const kind = reason === undefined ? 'done' : skipped.has(item.id) ? 'skipped' : 'failed'
  return { item, kind, reason }
}

/** In the order in which they were given. */
export function outcomesOf(job: Looked, filter: OutcomeFilter): readonly TargetOutcome[] {
  const all = job.detail.targets.map(item => outcomeOf(job, item))
  return filter === 'all' ? all : all.filter(({ kind }) => kind === filter)
}

export type OutcomeCounts = Readonly<Record<OutcomeFilter, number>>
export function outcomeCounts({ total, done, failed, detail: { skipped } }: Job): OutcomeCounts {
  return { all: total, done, failed: failed - skipped.size, skipped: skipped.size, waiting: total - done - failed }
}

/** What a job's targets are called by what became of them. Of one that was lost nobody knows what came of the rest. */
export const outcomeName = (kind: OutcomeFilter, state: JobState): string =>
  kind === 'waiting' && state === 'lost' ? 'Unknown' : names[kind]
const names: Readonly<Record<OutcomeFilter, string>> = {
  all: 'All',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
  waiting: 'Waiting',
}

/** Those to which what was ordered has not been done, as far as is known. */
export const undoneTargets = (job: Looked): readonly AnyItem[] =>
  outcomesOf(job, 'all').flatMap(({ item, kind }) => (kind === 'done' ? [] : [item]))

/** Why some were not done, the most frequent reason first. */
export const reasonsOf = ({ detail }: Looked): readonly ReasonGroup[] =>
  byReason([...detail.ended].flatMap(([id, message]) => (message === undefined ? [] : [{ id, message }])))

/** Of all its targets, from 0 to 1. */
export const progressOf = (job: Job): number => (job.total === 0 ? 1 : Math.min(1, endedOf(job) / job.total))

/** How many came to their end each second of the whole; undefined where that says nothing. */
export function averageRate(job: Job): number | undefined {
  if (job.endedAt === undefined) return undefined
  const seconds = (job.endedAt - job.startedAt) / 1000
  // How many had ended when a page went away is known, but not when that was.
  const ended = job.done + job.failed - job.detail.skipped.size
  return seconds >= 1 && ended > 1 && job.state !== 'lost' ? ended / seconds : undefined
}

/** `12 per second`, `0.4 per second` */
export const formatRate = (rate: number): string => `${toFixed(rate, rate < 10 ? 1 : 0)} per second`

/** `about 40 s left`, where it goes on at that rate; undefined where it cannot be told. */
export function formatTimeLeft(job: Job, rate: number | undefined): string | undefined {
  if (job.state !== 'running' || job.cancelling || rate === undefined) return undefined
  const left = job.total - endedOf(job)
  return left > 0 ? `about ${formatDuration((left / rate) * 1000)} left` : undefined
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `1 h 5 min` */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${toFixed(seconds, 1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const states: Readonly<Record<JobState, string>> = {
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
  broken: 'Failed',
  lost: 'Lost',
}

/** What is said of a job's state in a word or two. */
export function stateLabel({ state, cancelling, undone, done, failed }: Readonly<Job>): string {
  if (state === 'running') return cancelling ? 'Cancelling' : states.running
  if (undone) return 'Undone'
  if (state !== 'done' || failed === 0) return states[state]
  return done === 0 ? 'Failed' : 'Partly done'
}

/** `Lock · 12 devices · Nov 20, 2026, 14:03` */
export const jobLabel = ({ title, total, entity, startedAt }: Readonly<Job>): string =>
  `${title} · ${countOf(total, entity)} · ${shortDateTime(new Date(startedAt).toISOString())}`

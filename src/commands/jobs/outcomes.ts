/** The outcomes of a job's targets: counts, filters and texts. No side effects. */
import { formatNumber, formatDateTime } from '../../domain/format.ts'
import { countOf } from '../core/wording.ts'
import { groupByReason, type ReasonGroup } from '../core/reasons.ts'
import type { AnyItem } from '../../store/selection.ts'
import { endedOf, type Job, type JobState, type OutcomeFilter } from '../core/runs/jobs.ts'

export type OutcomeKind = Exclude<OutcomeFilter, 'all'>
export const outcomeKinds = ['done', 'failed', 'skipped', 'waiting'] as const satisfies readonly OutcomeKind[]

export interface TargetOutcome {
  readonly item: AnyItem
  readonly kind: OutcomeKind
  /** Why it failed or was skipped. */
  readonly reason: string | undefined
}

type Looked = Pick<Job, 'detail' | 'state'>

export function outcomeOf({ detail: { ended, skipped } }: Looked, item: AnyItem): TargetOutcome {
  if (!ended.has(item.id)) return { item, kind: 'waiting', reason: undefined }
  const reason = ended.get(item.id)
  const kind = reason === undefined ? 'done' : skipped.has(item.id) ? 'skipped' : 'failed'
  return { item, kind, reason }
}

/** Returns the outcomes that match the filter, in the order of the targets. */
export function outcomesOf(job: Looked, filter: OutcomeFilter): readonly TargetOutcome[] {
  const all = job.detail.targets.map(item => outcomeOf(job, item))
  return filter === 'all' ? all : all.filter(({ kind }) => kind === filter)
}

export type OutcomeCounts = Readonly<Record<OutcomeFilter, number>>
export function outcomeCounts({ total, done, failed, detail: { skipped } }: Job): OutcomeCounts {
  return { all: total, done, failed: failed - skipped.size, skipped: skipped.size, waiting: total - done - failed }
}

/** Returns the name of an outcome. In a lost job, the outcome of the waiting targets is unknown. */
export const outcomeName = (kind: OutcomeFilter, state: JobState): string =>
  kind === 'waiting' && state === 'lost' ? 'Unknown' : names[kind]
const names: Readonly<Record<OutcomeFilter, string>> = {
  all: 'All',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
  waiting: 'Waiting',
}

/** Returns the targets that are not done: failed, skipped, waiting or unknown. */
export const undoneTargets = (job: Looked): readonly AnyItem[] =>
  outcomesOf(job, 'all').flatMap(({ item, kind }) => (kind === 'done' ? [] : [item]))

/** Returns the reasons why targets failed or were skipped, most frequent first. */
export const reasonsOf = ({ detail }: Looked): readonly ReasonGroup[] =>
  groupByReason([...detail.ended].flatMap(([id, message]) => (message === undefined ? [] : [{ id, message }])))

/** Returns the ended share of the targets, from 0 to 1. */
export const progressOf = (job: Job): number => (job.total === 0 ? 1 : Math.min(1, endedOf(job) / job.total))

/** Returns the targets ended per second over the whole job; undefined if it is running, lost or too short. */
export function averageTargetRate(job: Job): number | undefined {
  if (job.endedAt === undefined) return undefined
  const seconds = (job.endedAt - job.startedAt) / 1000
  // For a lost job, the time at which the page was closed is unknown.
  const ended = job.done + job.failed - job.detail.skipped.size
  return seconds >= 1 && ended > 1 && job.state !== 'lost' ? ended / seconds : undefined
}

/** Returns `12 per second` or `0.4 per second`. */
export const formatRate = (rate: number): string => `${formatNumber(rate, rate < 10 ? 1 : 0)} per second`

/** Returns `about 40 s left` at the given rate per second; undefined without a rate, or if the job is ending. */
export function formatTimeLeft(job: Job, rate: number | undefined): string | undefined {
  if (job.state !== 'running' || job.cancelling || rate === undefined) return undefined
  const left = job.total - endedOf(job)
  return left > 0 ? `about ${formatDuration((left / rate) * 1000)} left` : undefined
}

/** Returns `0.4 s`, `12 s`, `3 min 20 s`, `1 h 5 min` or `5 d 7 h`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${formatNumber(seconds, 1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

const states: Readonly<Record<JobState, string>> = {
  running: 'Running',
  done: 'Done',
  cancelled: 'Cancelled',
  broken: 'Failed',
  lost: 'Lost',
}

/** Returns a job's state in one or two words. */
export function stateLabel({ state, cancelling, undone, done, failed }: Readonly<Job>): string {
  if (state === 'running') return cancelling ? 'Cancelling' : states.running
  if (undone) return 'Undone'
  if (state !== 'done' || failed === 0) return states[state]
  return done === 0 ? 'Failed' : 'Partly done'
}

/** Returns `Lock · 12 devices · Nov 20, 2026, 14:03`. */
export const jobLabel = ({ title, total, entity, startedAt }: Readonly<Job>): string =>
  `${title} · ${countOf(total, entity)} · ${formatDateTime(new Date(startedAt).toISOString())}`

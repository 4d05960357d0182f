/** Runs of commands on many, as they go on and as they ended: what the jobs screen, progress and undo go by. */
import { proxy } from 'valtio'
import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { CallProgress } from '../../../api/progress.ts'
import type { Entity } from '../../../store/lists.ts'
import type { AnyItem } from '../../../store/selection.ts'
import type { Invocation } from './outcome.ts'

/** `broken`: a call failed as a whole. `lost`: the page went away while it ran, so what came of the rest is not known. */
export type JobState = 'running' | 'done' | 'cancelled' | 'broken' | 'lost'

/** What is kept of each target outside the proxy: tens of thousands would make every change slow. */
export interface JobDetail {
  readonly targets: readonly AnyItem[]
  /** Those of them that it left alone from the start; why stands in `ended`. */
  readonly skipped: ReadonlySet<string>
  readonly input: unknown
  /** How each ended: done is undefined, otherwise why not. One that is not in it has not ended yet. */
  readonly ended: Map<string, string | undefined>
  /** The earlier values, for undoing. */
  before: readonly PreviousValues[]
  /** Ends it between two chunks. */
  readonly cancel: AbortController
  /** Gives the command with the same input to those; undefined where the page was loaded anew since. */
  readonly again: ((targets: readonly AnyItem[]) => Promise<unknown>) | undefined
  /** What puts earlier values back, where it can be undone. */
  readonly inverse: ((earlier: PreviousValues['values']) => Invocation | undefined) | undefined
}

export interface Job {
  readonly id: string
  /** As it was said when it began: `Lock`. */
  readonly title: string
  /** The command's id. */
  readonly command: string
  /** What its targets are. */
  readonly entity: Entity
  readonly detail: JobDetail
  /** Epoch milliseconds. */
  readonly startedAt: number
  endedAt: number | undefined
  state: JobState
  total: number
  done: number
  failed: number
  /** Of the calls that go on, how many have come to their end; not counted in `done` and `failed` yet. */
  meanwhile: CallProgress
  /** It is to end after the call that goes on. */
  cancelling: boolean
  /** What was said of it at its end. */
  message: string | undefined
  undone: boolean
}

/** What may have become of a target; `all` is no limit. */
export const outcomeFilters = ['all', 'done', 'failed', 'skipped', 'waiting'] as const
export type OutcomeFilter = (typeof outcomeFilters)[number]

/** What of the jobs is looked at on their screen. */
export interface JobsView {
  /** The job that is shown whole; the newest where that is not there. */
  job: string | undefined
  /** Whether keys move through the jobs, or through what came of the targets of the one shown. */
  within: 'jobs' | 'outcomes'
  filter: OutcomeFilter
  /** The target in focus. */
  target: string | undefined
  /** Counts the moves of keys, so that what they moved to gets the browser's focus then, and only then. */
  moves: number
}

const firstView = (): JobsView => ({ job: undefined, within: 'jobs', filter: 'all', target: undefined, moves: 0 })

export const jobs = proxy<{
  /** Newest first. */
  list: Job[]
  view: JobsView
  /** Whether those of earlier visits have been read. */
  read: boolean
}>({ list: [], view: firstView(), read: false })

export const noneEnded: CallProgress = { done: 0, failed: 0 }

/** Forgets all; those that run stop after the call that goes on. */
export function forgetJobs(): void {
  for (const job of jobs.list) if (job.state === 'running') job.detail.cancel.abort()
  jobs.list = []
  jobs.view = firstView()
}

/** They are gone: nothing can be put back of them. */
export function forgetTargets(entity: Entity, ids: readonly string[]): void {
  const gone = new Set(ids)
  for (const { entity: of, detail } of jobs.list)
    if (of === entity && gone.size > 0) detail.before = without(gone, detail.before)
}

/** What was replaced, without that of some. */
export const without = (gone: ReadonlySet<string>, before: readonly PreviousValues[]): readonly PreviousValues[] =>
  before
    .map(({ ids, values }) => ({ ids: ids.filter(id => !gone.has(id)), values }))
    .filter(({ ids }) => ids.length > 0)

/** How many of its targets have come to their end, those of calls that go on included. */
export const endedOf = ({ done, failed, meanwhile }: Pick<Job, 'done' | 'failed' | 'meanwhile'>): number =>
  done + failed + meanwhile.done + meanwhile.failed

export const anyRunning = (): boolean => jobs.list.some(job => job.state === 'running')

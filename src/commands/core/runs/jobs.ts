/** The jobs of this browser, running and ended. The jobs screen, the progress display and undo use them. */
import { proxy } from 'valtio'
import type { JobStart } from '../../../api/contract/jobPolicy.ts'
import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { TaskState } from '../../../domain/columns/jobs.ts'
import type { Entity } from '../../../store/lists.ts'
import type { AnyItem } from '../../../store/selection.ts'
import type { Invocation } from './outcome.ts'

/**
 * `broken`: the run failed as a whole. `lost`: the page was closed during the run, so the outcome of the rest is
 * unknown.
 */
export type JobState = 'running' | 'done' | 'cancelled' | 'broken' | 'lost'

/** The data of each target, outside the proxy: tens of thousands of targets would make every change slow. */
export interface JobDetail {
  /** The targets; of a job that another page has started, empty until they are needed. */
  targets: readonly AnyItem[]
  /** The targets that it did not act on; their reasons are in `ended`. */
  readonly skipped: ReadonlySet<string>
  readonly input: unknown
  /** The result of each ended target: undefined if done, otherwise the reason why it failed. */
  readonly ended: Map<string, string | undefined>
  /** The previous values, for undo; a job of the server keeps its own. */
  before: readonly PreviousValues[]
  /** The targets that an undo of a job of the server has restored. */
  readonly restored: Set<string>
  /** Stops the job between two chunks. */
  readonly cancel: AbortController
  /** Runs the command with the same input on these targets; undefined once the page has been reloaded. */
  readonly again: ((targets: readonly AnyItem[]) => Promise<unknown>) | undefined
  /** Returns the command that restores previous values; undefined if the job cannot be undone. */
  readonly inverse: ((earlier: PreviousValues['values']) => Invocation | undefined) | undefined
}

/** How many devices of a job of the server are done and failed so far. */
export interface RemoteProgress {
  readonly done: number
  readonly failed: number
}

export interface Job {
  readonly id: string
  /** The command's title when the job started, such as `Lock`. */
  readonly title: string
  /** The command's id. */
  readonly command: string
  /** The entity of its targets. */
  readonly entity: Entity
  /** The id of the server's job that carries it out. */
  remote?: string | undefined
  readonly detail: JobDetail
  /** Epoch milliseconds. */
  readonly startedAt: number
  endedAt: number | undefined
  state: JobState
  total: number
  done: number
  failed: number
  /** The devices that the server's job has ended; not included in `done` and `failed` yet. */
  inFlight: RemoteProgress
  /** Whether it stops after the calls in progress. */
  cancelling: boolean
  /** The message at its end. */
  message: string | undefined
  undone: boolean
}

/** The filter of the targets by outcome; `all` shows every target. */
export const outcomeFilters = ['all', 'done', 'failed', 'skipped', 'waiting'] as const
export type OutcomeFilter = (typeof outcomeFilters)[number]
/** Which targets are shown: an outcome, or the state of the tasks of a job of the server. */
export type JobFilter = OutcomeFilter | TaskState

/** The state of the jobs screen. */
export interface JobsView {
  /** The id of the job shown in detail; the newest job if there is none with this id. */
  job: string | undefined
  /** Whether keys move through the jobs or through the outcomes of the shown job. */
  within: 'jobs' | 'outcomes'
  filter: JobFilter
  /** The id of the focused target. */
  target: string | undefined
  /** The index of the focused task of a job of the server, whose page may not have loaded. */
  at: number
  /** The number of pages of the server's jobs to show. */
  pages: number
  /** Counts what has been loaded, from which commands compute their availability again. */
  loads: number
  /** Counts the moves by keys: the DOM focus follows them, but no other change of the view. */
  moves: number
}

const initialView = (): JobsView => ({
  job: undefined,
  within: 'jobs',
  filter: 'all',
  target: undefined,
  at: 0,
  pages: 1,
  loads: 0,
  moves: 0,
})

/** A move of a scheduled job of the server to another time, which can be undone like the latest run. */
export interface JobMove {
  /** The id of the job. */
  readonly job: string
  readonly title: string
  readonly from: JobStart
  readonly to: JobStart
  /** When it was moved, epoch milliseconds. */
  readonly at: number
  readonly isUndone: boolean
}

export const jobs = proxy<{
  /** Newest first. */
  list: Job[]
  view: JobsView
  /** Whether the stored jobs of earlier visits have been loaded. */
  isLoaded: boolean
  /** The latest move of a scheduled job. */
  moved: JobMove | undefined
}>({ list: [], view: initialView(), isLoaded: false, moved: undefined })

export const noProgress: RemoteProgress = { done: 0, failed: 0 }

/** Removes all jobs; running ones stop after the calls in progress, but the server continues its own. */
export function forgetJobs(): void {
  for (const { state, remote, detail } of jobs.list)
    if (state === 'running' && remote === undefined) detail.cancel.abort()
  jobs.list = []
  jobs.view = initialView()
  jobs.moved = undefined
}

/** Drops the previous values of deleted rows, which cannot be restored. */
export function forgetTargets(entity: Entity, ids: readonly string[]): void {
  const removedIds = new Set(ids)
  for (const { entity: jobEntity, detail } of jobs.list)
    if (jobEntity === entity && removedIds.size > 0) detail.before = withoutIds(removedIds, detail.before)
}

/** Returns the previous values without those of some ids. */
export const withoutIds = (
  removedIds: ReadonlySet<string>,
  before: readonly PreviousValues[],
): readonly PreviousValues[] =>
  before
    .map(({ ids, values }) => ({ ids: ids.filter(id => !removedIds.has(id)), values }))
    .filter(({ ids }) => ids.length > 0)

/** Returns the number of ended targets, including those of the calls in progress. */
export const endedOf = ({ done, failed, inFlight }: Pick<Job, 'done' | 'failed' | 'inFlight'>): number =>
  done + failed + inFlight.done + inFlight.failed

/** Whether a job of the page or of the server runs. */
export const hasRunningJobs = (): boolean => jobs.list.some(({ state }) => state === 'running')

/** Whether a run would stop if the page were closed: the server continues its jobs. */
export const hasRunningPageJobs = (): boolean =>
  jobs.list.some(({ state, remote }) => state === 'running' && remote === undefined)

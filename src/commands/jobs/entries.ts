/** The jobs of the screen: those of the server and, merged by time, those of this browser. */
import type { List } from '../../api/contract/endpoint.ts'
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import { cachedJob, cachedJobs } from '../../api/jobs/jobCache.ts'
import type { TaskFilter } from '../../api/jobs/jobList.ts'
import { taskStates, type TaskState } from '../../domain/columns/jobs.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { session, signedInRole } from '../../store/session.ts'
import { jobs, outcomeFilters, type Job, type JobFilter, type OutcomeFilter } from '../core/runs/jobs.ts'

/** A job of this browser or of the server. */
export type JobEntry =
  | { readonly is: 'local'; readonly id: string; readonly job: Job }
  | { readonly is: 'server'; readonly id: string; readonly job: ServerJob }

export const localEntry = (job: Job): JobEntry => ({ is: 'local', id: job.id, job })
/** The entry of each job, so that one that has not changed is not rendered again. */
const serverEntries = new WeakMap<ServerJob, JobEntry>()
export function serverEntry(job: ServerJob): JobEntry {
  const entry = serverEntries.get(job) ?? { is: 'server', id: job._id, job }
  serverEntries.set(job, entry)
  return entry
}

/** Whether the signed-in account created a job of the server: administrators see those of all accounts. */
export const isOwnJob = ({ login }: Pick<ServerJob, 'login'>): boolean =>
  login.toLowerCase() === session.login?.toLowerCase()

/** Whether the account has jobs on the server. */
export function mayHaveServerJobs(): boolean {
  const role = signedInRole()
  return deviceRoles.some(one => one === role)
}

const startOf = (entry: JobEntry): number =>
  entry.is === 'local' ? entry.job.startedAt : Date.parse(entry.job.created_at)

/**
 * Returns all jobs, newest first. Jobs of this browser that are older than the server's jobs loaded so far are left out
 * until these are loaded, so that no row moves down. Those that the server carries out are only among its own.
 */
export function mergeEntries(local: readonly Job[], server: List<ServerJob> | undefined): readonly JobEntry[] {
  const remote = server?.data.map(serverEntry) ?? []
  const own = local.filter(job => job.remote === undefined).map(localEntry)
  const oldest = remote.at(-1)
  const isComplete = server === undefined || remote.length >= server.count
  const shown = isComplete || !oldest ? own : own.filter(entry => startOf(entry) >= startOf(oldest))
  return [...remote, ...shown].toSorted((one, other) => startOf(other) - startOf(one))
}

/** Returns the jobs on screen, newest first. */
export const entries = (): readonly JobEntry[] => mergeEntries(jobs.list, cachedJobs(jobs.view.pages))

/** Ids of the server are UUIDs; those of this browser are shorter. */
const isServerId = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)

/** Returns the id on the server of the job that the view names; undefined if it names none or one of this browser. */
export function serverIdOf(id: string | undefined, local: readonly Job[]): string | undefined {
  if (id === undefined) return undefined
  const remote = local.find(job => job.id === id)?.remote
  return remote ?? (isServerId(id) && mayHaveServerJobs() ? id : undefined)
}

/** Returns the job shown in detail: the one opened last, or else the newest; undefined while it is loading. */
export function shownEntry(): JobEntry | undefined {
  const { view, list } = jobs
  const id = serverIdOf(view.job, list)
  if (id !== undefined) {
    const job = cachedJob(id, view.pages)
    return job && serverEntry(job)
  }
  const local = list.find(job => job.id === view.job)
  if (local) return localEntry(local)
  const newest = entries()[0]
  // The job's copy that was read alone may be newer than the list's, and is the one on screen.
  return newest?.is === 'server' ? serverEntry(cachedJob(newest.id, view.pages) ?? newest.job) : newest
}

/** Returns a job of the server that has been loaded. */
export const findServerJob = (id: string): ServerJob | undefined => cachedJob(id, jobs.view.pages)

/** Whether an undo has restored everything that a job did. An undo is newer than its job, so both are loaded together. */
export const isUndone = (job: ServerJob, all: readonly ServerJob[]): boolean =>
  job.counts.done > 0 &&
  all
    .filter(({ kind, parent }) => kind === 'undo' && parent === job._id)
    .reduce((sum, { counts }) => sum + counts.done, 0) >= job.counts.done

/** Returns the filter for the tasks of a job of the server; all, for a filter that only jobs of this browser have. */
export const taskFilterOf = (filter: JobFilter): TaskFilter =>
  taskStates.includes(filter as TaskState) ? (filter as TaskState) : 'all'

/** Returns the filter for the targets of a job of this browser; all, for a filter that only the server's jobs have. */
export const outcomeFilterOf = (filter: JobFilter): OutcomeFilter => outcomeFilters.find(one => one === filter) ?? 'all'

/** Moves through the jobs, and through the targets of the shown one, and filters these. */
import { cachedJobs } from '../../api/jobs/jobCache.ts'
import { cachedTaskPage, loadTaskPage, taskCount, tasksPerPage } from '../../api/jobs/jobList.ts'
import type { Job as ServerJob, Task } from '../../api/contract/jobs.ts'
import { taskStateNames, taskStates } from '../../domain/columns/jobs.ts'
import { jobs, outcomeFilters, type Job, type JobFilter, type JobsView } from '../core/runs/jobs.ts'
import { shownOutcomes, targetInFocus } from './actions.ts'
import { entries, outcomeFilterOf, shownEntry, taskFilterOf, type JobEntry } from './entries.ts'
import { outcomeCounts, outcomeName } from './outcomes.ts'

/** Shows another job. */
export function showJob(id: string): void {
  if (jobs.view.job !== id) Object.assign(jobs.view, { job: id, filter: 'all', target: undefined, at: 0 })
}

/** Shows a job, with the focus on the list of jobs. */
export function goToJob(id: string): void {
  showJob(id)
  jobs.view.within = 'jobs'
  jobs.view.moves++
}

/** Returns the index `by` places after index `at`, clamped to `count` items; the first if `at` is negative. */
const further = (count: number, at: number, by: number): number =>
  at < 0 ? 0 : Math.max(0, Math.min(at + by, count - 1))

export function moveBy(by: number): void {
  const { view } = jobs
  const entry = shownEntry()
  if (view.within === 'jobs') moveInJobs(by)
  else if (entry?.is === 'local') moveInOutcomes(entry.job, by)
  else if (entry) focusTask(entry.job, further(shownTaskCount(entry.job), focusedTaskIndex(entry.job, view), by))
  view.moves++
}

function moveInJobs(by: number): void {
  const all = entries()
  const shown = jobs.view.job === undefined ? undefined : shownEntry()?.id
  const at = all.findIndex(({ id }) => id === shown)
  const next = all[further(all.length, at, by)]
  if (next) showJob(next.id)
  if (next === all.at(-1)) showMoreJobs()
}

/** Shows the next page of the server's jobs, if there is one. */
export function showMoreJobs(): void {
  const { view } = jobs
  const known = cachedJobs(view.pages)
  if (known && known.data.length < known.count) view.pages++
}

function moveInOutcomes(job: Job, by: number): void {
  const { view } = jobs
  const rows = shownOutcomes(job, outcomeFilterOf(view.filter))
  const at = rows.findIndex(({ item }) => item.id === view.target)
  view.target = rows[further(rows.length, at, by)]?.item.id
}

const shownTaskCount = (job: ServerJob): number => taskCount(job, taskFilterOf(jobs.view.filter))

/** Returns a task of the shown ones, if its page has been loaded. */
function taskAt(job: ServerJob, index: number, { filter }: Pick<JobsView, 'filter'>): Task | undefined {
  const page = cachedTaskPage(job._id, taskFilterOf(filter), Math.floor(index / tasksPerPage))
  return page?.data[index % tasksPerPage]
}

/**
 * Returns the index of the focused task of a job of the server. Others change their state, so a filter may have another task
 * at its index by now.
 */
export function focusedTaskIndex(job: ServerJob, view: Pick<JobsView, 'filter' | 'target' | 'at'>): number {
  const { filter, target, at } = view
  const page = Math.floor(at / tasksPerPage)
  const index =
    cachedTaskPage(job._id, taskFilterOf(filter), page)?.data.findIndex(({ bssid }) => bssid === target) ?? -1
  return index >= 0 ? page * tasksPerPage + index : Math.min(at, Math.max(0, taskCount(job, taskFilterOf(filter)) - 1))
}

/** Returns the focused task of a job of the server, once it has been loaded. */
export const taskInFocus = (job: ServerJob): Task | undefined =>
  taskAt(job, focusedTaskIndex(job, jobs.view), jobs.view)

/** Focuses a task by its index, whose page may still have to be loaded. */
export function focusTask(job: ServerJob, at: number): void {
  const { view } = jobs
  Object.assign(view, { at, target: taskAt(job, at, view)?.bssid })
  if (view.target !== undefined || shownTaskCount(job) === 0) return
  const { filter } = view
  // The row on screen reports a failure.
  loadTaskPage(job._id, taskFilterOf(filter), Math.floor(at / tasksPerPage)).then(
    () => {
      if (view.at === at && view.filter === filter && view.target === undefined)
        view.target = taskAt(job, at, view)?.bssid
    },
    () => undefined,
  )
}

/** Focuses the first target of a job that matches the filter, unless one that matches has the focus. */
function focusFirst(entry: JobEntry): void {
  const { view } = jobs
  if (entry.is === 'server') focusTask(entry.job, 0)
  else if (!targetInFocus(entry.job)) view.target = shownOutcomes(entry.job, outcomeFilterOf(view.filter))[0]?.item.id
}

/** Moves the focus from the list of jobs to the targets of the shown job. */
export function enterOutcomes(): void {
  const entry = shownEntry()
  if (!entry) return
  const { view } = jobs
  view.job = entry.id
  view.within = 'outcomes'
  if (entry.is === 'local' || view.target === undefined) focusFirst(entry)
  view.moves++
}

/** Clears the filter, or moves the focus back to the list of jobs if there is no filter. */
export function leaveOutcomes(): void {
  const { view } = jobs
  if (view.within === 'jobs') return
  // Two steps, as Esc first clears the search of a list.
  if (view.filter !== 'all') return filterBy('all')
  view.within = 'jobs'
  view.moves++
}

export function filterBy(filter: JobFilter): void {
  const { view } = jobs
  const entry = shownEntry()
  view.filter = filter
  if (!entry) return
  focusFirst(entry)
  if (view.within === 'outcomes') view.moves++
}

/** A filter for the targets of a job, with the number of those that match. */
export interface FilterChoice {
  readonly filter: JobFilter
  readonly name: string
  readonly count: number
}

/** Returns the filters for the targets of a job. */
export function filtersOf(entry: JobEntry): readonly FilterChoice[] {
  if (entry.is === 'server') {
    const { total, counts } = entry.job
    return [
      { filter: 'all', name: 'All', count: total },
      ...taskStates.map(state => ({ filter: state, name: taskStateNames[state], count: counts[state] })),
    ]
  }
  const counts = outcomeCounts(entry.job)
  return outcomeFilters.map(filter => ({
    filter,
    name: outcomeName(filter, entry.job.state),
    count: counts[filter],
  }))
}

/** Switches to the next filter that matches any target. */
export function nextFilter(): void {
  const entry = shownEntry()
  if (!entry) return
  const some = filtersOf(entry).filter(({ count }) => count > 0)
  const at = some.findIndex(({ filter }) => filter === jobs.view.filter)
  filterBy(some[(at + 1) % some.length]?.filter ?? 'all')
}

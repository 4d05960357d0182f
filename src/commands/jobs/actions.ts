/** The actions of job commands: move through jobs and outcomes, filter, open, select, retry and forget. */
import { lists, setSearch } from '../../store/lists.ts'
import { routes } from '../../domain/lists/routes.ts'
import { selections, type AnyItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import type { Services } from '../core/types.ts'
import { outcomeCounts, outcomesOf, undoneTargets, type TargetOutcome } from './outcomes.ts'
import { outcomeFilters, jobs, type Job, type JobDetail, type OutcomeFilter } from '../core/runs/jobs.ts'

/** Returns the job shown in detail: the one opened last, or else the newest. */
export const shownJob = (): Job | undefined => jobs.list.find(({ id }) => id === jobs.view.job) ?? jobs.list[0]

const known = new WeakMap<JobDetail, { sign: string; rows: readonly TargetOutcome[] }>()
/** Returns the outcomes that match the filter; the same array until the job or the filter changes. */
export function shownOutcomes(job: Job, filter: OutcomeFilter): readonly TargetOutcome[] {
  const sign = `${filter} ${job.state} ${job.done} ${job.failed}`
  const before = known.get(job.detail)
  if (before?.sign === sign) return before.rows
  const rows = outcomesOf(job, filter)
  known.set(job.detail, { sign, rows })
  return rows
}

/** Returns the focused target. */
export function targetInFocus(): AnyItem | undefined {
  const job = shownJob()
  return job && shownOutcomes(job, jobs.view.filter).find(({ item }) => item.id === jobs.view.target)?.item
}

export function lookAt(id: string): void {
  if (jobs.view.job !== id) Object.assign(jobs.view, { job: id, filter: 'all', target: undefined })
}

/** Returns the item `by` places after index `at`, clamped to the list; the first item if `at` is negative. */
function further<One>(all: readonly One[], at: number, by: number): One | undefined {
  return all[at < 0 ? 0 : Math.max(0, Math.min(at + by, all.length - 1))]
}

export function moveBy(by: number): void {
  const { view, list } = jobs
  const job = shownJob()
  if (!job) return
  if (view.within === 'jobs') {
    const next = further(
      list,
      list.findIndex(({ id }) => id === view.job),
      by,
    )
    if (next) lookAt(next.id)
  } else {
    const rows = shownOutcomes(job, view.filter)
    const next = further(
      rows,
      rows.findIndex(({ item }) => item.id === view.target),
      by,
    )
    view.target = next?.item.id
  }
  view.moves++
}

/** Moves the focus from the list of jobs to the outcomes of the shown job. */
export function enterOutcomes(): void {
  const job = shownJob()
  if (!job) return
  const { view } = jobs
  view.job = job.id
  view.within = 'outcomes'
  if (!targetInFocus()) view.target = shownOutcomes(job, view.filter)[0]?.item.id
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

export function filterBy(filter: OutcomeFilter): void {
  const job = shownJob()
  const { view } = jobs
  view.filter = filter
  if (!job || targetInFocus()) return
  view.target = shownOutcomes(job, filter)[0]?.item.id
  if (view.within === 'outcomes') view.moves++
}

/** Switches to the next filter that matches any target. */
export function nextFilter(): void {
  const job = shownJob()
  if (!job) return
  const counts = outcomeCounts(job)
  const some = outcomeFilters.filter(filter => counts[filter] > 0)
  filterBy(some[(some.indexOf(jobs.view.filter) + 1) % some.length] ?? 'all')
}

/** Opens a target: a device on its screen, other rows by a search in their list. */
export function openTarget({ entity }: Job, item: AnyItem, go: Services['go']): void {
  if (entity === 'devices') return go(`${routes.devices.path}/${item.id}`)
  Object.assign(lists[entity], { column: undefined, operator: 'co' })
  setSearch(lists[entity], item.name)
  go(routes[entity].path)
}

/** Returns the targets that can still be selected: without the deleted ones, if the job deleted them. */
export const selectable = (job: Job): readonly AnyItem[] => (losesDone(job) ? undoneTargets(job) : job.detail.targets)
/** Returns their number without building the list, because labels need it at every key. */
export const selectableCount = (job: Job): number => (losesDone(job) ? job.total - job.done : job.total)

const losesDone = (job: Job): boolean => findCommand(job.command)?.removesTargets ?? false

/** Replaces the selection by these rows, and shows their list. */
export function selectTargets({ entity }: Job, items: readonly AnyItem[], go: Services['go']): void {
  const selection = selections[entity]
  selection.clear()
  selection.add(items)
  go(routes[entity].path)
}

/** Returns why the job cannot be retried, or undefined if it can. */
export function retryBlocked(job: Job): string | undefined {
  if (job.state === 'running') return 'The job is still running'
  if (job.done === job.total) return 'Nothing has failed'
  if (job.detail.again) return undefined
  // After a reload, commands that were made for a single run no longer exist, and inputs with secrets were not stored.
  const command = findCommand(job.command)
  const may = command?.entity === job.entity && (command.fields.length === 0 || job.detail.input !== undefined)
  return may ? undefined : 'The page was reloaded since then. Run the command again'
}

/** Runs the job's command again with the same input, on the targets that were not done. */
export function retry({ command, detail, ...job }: Job, again: Services['runCommand']): void {
  const targets = undoneTargets({ detail, ...job })
  // Not awaited, because the new run has its own prompts, progress and outcome.
  if (detail.again) void detail.again(targets)
  else {
    const known = findCommand(command)
    if (known) void again(known, detail.input ?? {}, targets)
  }
}

/** Removes the job, and moves the focus to the job that takes its place. */
export function forget(gone: Job): void {
  const at = jobs.list.findIndex(({ id }) => id === gone.id)
  jobs.list = jobs.list.filter(({ id }) => id !== gone.id)
  Object.assign(jobs.view, { within: 'jobs', filter: 'all', target: undefined })
  jobs.view.job = (jobs.list[at] ?? jobs.list[at - 1])?.id
  jobs.view.moves++
}

/** Removes all jobs that are not running. */
export function forgetEnded(): void {
  jobs.list = jobs.list.filter(({ state }) => state === 'running')
  Object.assign(jobs.view, { job: undefined, within: 'jobs', filter: 'all', target: undefined })
}

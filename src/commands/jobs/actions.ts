/** What the commands on jobs act on, and how one moves through jobs and through what came of their targets. */
import { lists, setSearch } from '../../store/lists.ts'
import { routes } from '../../domain/lists/routes.ts'
import { selections, type AnyItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import type { Services } from '../core/types.ts'
import { outcomeCounts, outcomesOf, undoneTargets, type TargetOutcome } from './outcomes.ts'
import { outcomeFilters, jobs, type Job, type JobDetail, type OutcomeFilter } from '../core/runs/jobs.ts'

/** The job that is shown whole: the one last looked at, or else the newest. */
export const shownJob = (): Job | undefined => jobs.list.find(({ id }) => id === jobs.view.job) ?? jobs.list[0]

const known = new WeakMap<JobDetail, { sign: string; rows: readonly TargetOutcome[] }>()
/** What came of its targets, as far as the filter lets them through; the same list until something has changed. */
export function shownOutcomes(job: Job, filter: OutcomeFilter): readonly TargetOutcome[] {
  const sign = `${filter} ${job.state} ${job.done} ${job.failed}`
  const before = known.get(job.detail)
  if (before?.sign === sign) return before.rows
  const rows = outcomesOf(job, filter)
  known.set(job.detail, { sign, rows })
  return rows
}

/** The target that keys are at. */
export function targetInFocus(): AnyItem | undefined {
  const job = shownJob()
  return job && shownOutcomes(job, jobs.view.filter).find(({ item }) => item.id === jobs.view.target)?.item
}

export function lookAt(id: string): void {
  if (jobs.view.job !== id) Object.assign(jobs.view, { job: id, filter: 'all', target: undefined })
}

/** Of all from the first one to the last, that which is so many further on; the first where keys were at none. */
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

/** From the list of jobs into what came of the one shown. */
export function enterOutcomes(): void {
  const job = shownJob()
  if (!job) return
  const { view } = jobs
  view.job = job.id
  view.within = 'outcomes'
  if (!targetInFocus()) view.target = shownOutcomes(job, view.filter)[0]?.item.id
  view.moves++
}

export function leaveOutcomes(): void {
  const { view } = jobs
  if (view.within === 'jobs') return
  // Filtered ones are left in two steps, as a search is.
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

/** The next filter that lets something through. */
export function nextFilter(): void {
  const job = shownJob()
  if (!job) return
  const counts = outcomeCounts(job)
  const some = outcomeFilters.filter(filter => counts[filter] > 0)
  filterBy(some[(some.indexOf(jobs.view.filter) + 1) % some.length] ?? 'all')
}

/** Shows a target: a device on its screen, anything else in its list. */
export function openTarget({ entity }: Job, item: AnyItem, go: Services['go']): void {
  if (entity === 'devices') return go(`${routes.devices.path}/${item.id}`)
  Object.assign(lists[entity], { column: undefined, operator: 'co' })
  setSearch(lists[entity], item.name)
  go(routes[entity].path)
}

/** Its targets that there still are, as far as is known. */
export const selectable = (job: Job): readonly AnyItem[] => (losesDone(job) ? undoneTargets(job) : job.detail.targets)
/** How many those are; asked at every key. */
export const selectableCount = (job: Job): number => (losesDone(job) ? job.total - job.done : job.total)

const losesDone = (job: Job): boolean => findCommand(job.command)?.removesTargets ?? false

/** Selects those alone, and shows their list. */
export function selectTargets({ entity }: Job, items: readonly AnyItem[], go: Services['go']): void {
  const selection = selections[entity]
  selection.clear()
  selection.add(items)
  go(routes[entity].path)
}

/** Why it cannot be retried; undefined where it can. */
export function retryBlocked(job: Job): string | undefined {
  if (job.state === 'running') return 'The job is still running'
  if (job.done === job.total) return 'Nothing has failed'
  if (job.detail.again) return undefined
  // What was made for one run alone is gone with its page, and so is what is never kept.
  const command = findCommand(job.command)
  const may = command?.entity === job.entity && (command.fields.length === 0 || job.detail.input !== undefined)
  return may ? undefined : 'The page was reloaded since then. Run the command again'
}

/** Gives it once more, with the same input, to those to which it was not done. */
export function retry({ command, detail, ...job }: Job, again: Services['again']): void {
  const targets = undoneTargets({ detail, ...job })
  // It asks, tells how far it is and what came of it by itself.
  if (detail.again) void detail.again(targets)
  else {
    const known = findCommand(command)
    if (known) void again(known, detail.input ?? {}, targets)
  }
}

/** Forgets it; keys are then at the one that takes its place. */
export function forget(gone: Job): void {
  const at = jobs.list.findIndex(({ id }) => id === gone.id)
  jobs.list = jobs.list.filter(({ id }) => id !== gone.id)
  Object.assign(jobs.view, { within: 'jobs', filter: 'all', target: undefined })
  jobs.view.job = (jobs.list[at] ?? jobs.list[at - 1])?.id
  jobs.view.moves++
}

/** Forgets all that are over. */
export function forgetEnded(): void {
  jobs.list = jobs.list.filter(({ state }) => state === 'running')
  Object.assign(jobs.view, { job: undefined, within: 'jobs', filter: 'all', target: undefined })
}

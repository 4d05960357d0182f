/** The actions of commands on the jobs of this browser: open, select, retry and forget. */
import { lists, setSearch } from '../../store/lists.ts'
import { routes } from '../../domain/lists/routes.ts'
import { selections, type AnyItem } from '../../store/selection.ts'
import { retryCommand } from '../core/execution/retryJob.ts'
import { findCommand } from '../core/registry.ts'
import type { Services } from '../core/types.ts'
import { jobs, type Job, type JobDetail, type OutcomeFilter } from '../core/runs/jobs.ts'
import { entries, outcomeFilterOf } from './entries.ts'
import { outcomesOf, undoneTargets, type TargetOutcome } from './outcomes.ts'

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

/** Returns the focused target of a job of this browser. */
export const targetInFocus = (job: Job): AnyItem | undefined =>
  shownOutcomes(job, outcomeFilterOf(jobs.view.filter)).find(({ item }) => item.id === jobs.view.target)?.item

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
  return may ? undefined : 'The page has been reloaded since. Run the command again'
}

/** Runs the job's command again with the same input, on the targets that were not done. */
export function retry({ command, remote, detail, ...job }: Job, again: Services['runCommand']): void {
  const undone = undoneTargets({ detail, ...job })
  // The server continues with those that have not ended.
  const targets = remote === undefined ? undone : undone.filter(({ id }) => detail.ended.has(id))
  // Not awaited, because the new run has its own prompts, progress and outcome.
  if (detail.again) void detail.again(targets)
  else {
    const known = findCommand(command)
    if (known)
      void again(remote === undefined ? known : retryCommand(known, remote, targets), detail.input ?? {}, targets)
  }
}

/** Removes the job, and moves the focus to the job that takes its place. */
export function forget(gone: Job): void {
  const before = entries()
  const at = before.findIndex(({ id }) => id === gone.id)
  jobs.list = jobs.list.filter(({ id }) => id !== gone.id)
  Object.assign(jobs.view, { within: 'jobs', filter: 'all', target: undefined })
  jobs.view.job = (before[at + 1] ?? before[at - 1])?.id
  jobs.view.moves++
}

/** Removes all jobs of this browser that are not running. */
export function forgetEnded(): void {
  jobs.list = jobs.list.filter(({ state, remote }) => state === 'running' || remote !== undefined)
  Object.assign(jobs.view, { job: undefined, within: 'jobs', filter: 'all', target: undefined })
}

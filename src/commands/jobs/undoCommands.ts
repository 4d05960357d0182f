/** Commands that undo and redo runs, show and retry the failures of a run, and cancel running commands. */
import * as z from 'zod/mini'
import { roles } from '../../domain/roles.ts'
import { overlay } from '../../store/overlays.ts'
import type { ShownFailure } from '../../domain/commands/failures.ts'
import { findCommand } from '../core/registry.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import { retry, retryBlocked } from './actions.ts'
import { earlierSelection, restoreEarlierSelection, type EarlierSelection } from '../core/runs/earlierSelection.ts'
import { jobs, type Job, type JobMove } from '../core/runs/jobs.ts'
import { shownFailures } from '../core/shownFailures.ts'
import { countOf } from '../core/wording.ts'
import { newestTask, type ActiveTask } from '../core/runs/activeTasks.ts'
import { nothing } from '../core/needs.ts'
import { lastMove, lastUndoneMove, moveBack } from './rescheduleCommand.ts'
import { restorableCount, undoable, undoBlocked, undoJob, whatOf } from './undoJob.ts'

/** Returns the newest run, without undos and what they have undone, so that each further undo goes one run back. */
export const lastDone = (): Job | undefined => jobs.list.find(job => job.command !== 'run.undo' && !job.undone)

/** Returns the newest undo; undefined if another command ran since. */
export function lastUndone(): Job | undefined {
  const latest = jobs.list.find(job => job.command !== 'run.redo' && !job.undone)
  return latest?.command === 'run.undo' ? latest : undefined
}

/** Returns the selection before a run that cannot be undone, if the run has left only failed rows selected. */
function selectionBefore(job: Job): EarlierSelection | undefined {
  const earlier = earlierSelection()
  return earlier?.job === job.id && !undoable(job) ? earlier : undefined
}

/** Needs the newest run or move. If that cannot be undone, no older one is undone in its place. */
const lastRunUndoable: Needs<Job | JobMove> = () => {
  const job = lastDone()
  const move = lastMove(job?.startedAt)
  if (move) return { target: move }
  if (!job) return { blocked: 'Nothing to undo' }
  const reason = undoBlocked(job)
  return reason === undefined || selectionBefore(job) ? { target: job } : { blocked: reason }
}
const lastUndoRedoable: Needs<Job | JobMove> = () => {
  const move = lastUndoneMove(jobs.list[0]?.startedAt)
  if (move) return { target: move }
  const job = lastUndone()
  return job && undoable(job) ? { target: job } : { blocked: 'Nothing to redo' }
}

const jobOf = (id: string): Job | undefined => jobs.list.find(job => job.id === id)
const Which = z.object({ job: z.string() })

/** Returns the failed and skipped targets of a job with their reasons. */
const failuresOf = ({ command, detail }: Job): readonly ShownFailure[] =>
  shownFailures(findCommand(command), detail.targets, ({ id }) => detail.ended.get(id))

/** Returns the newest running job, or else the newest active task. */
function newestRunning(): ActiveTask | undefined {
  const job = jobs.list.find(({ state, cancelling }) => state === 'running' && !cancelling)
  return job ? { title: job.title, cancel: job.detail.cancel } : newestTask()
}

const something: Needs<ActiveTask> = () => {
  const target = newestRunning()
  return target ? { target } : { blocked: 'Nothing is running' }
}

/** Shared by the buttons in the toast of a job, which pass its id. */
const ofOneJob = {
  group: 'control',
  recordable: false,
  keysOnly: true,
  roles,
  needs: nothing,
  args: Which,
} as const

export const undoCommands = [
  defineCommand({
    id: 'run.undo',
    title: 'Undo last command',
    recordable: false,
    group: 'control',
    icon: 'reset',
    keys: 'z',
    keywords: ['put back', 'revert', 'earlier values'],
    on: ['status'],
    short: 'undo',
    roles,
    selection: 'changes',
    needs: lastRunUndoable,
    label: () => moveLabel('Undo', lastMove(lastDone()?.startedAt)) ?? labelOf('Undo', lastDone()),
    delegates: true,
    async run(job, _, services) {
      if (isMove(job)) return moveBack(job, services)
      const earlier = selectionBefore(job)
      if (!earlier) return void (await undoJob(job, services))
      restoreEarlierSelection(earlier)
      return `Selected ${countOf(earlier.items.length, earlier.entity)}`
    },
  }),
  defineCommand({
    id: 'run.redo',
    title: 'Redo',
    recordable: false,
    group: 'control',
    icon: 'reset',
    keys: 'shift+z',
    keywords: ['again', 'undo the undo'],
    roles,
    selection: 'changes',
    needs: lastUndoRedoable,
    label: () => moveLabel('Redo', lastUndoneMove(jobs.list[0]?.startedAt)) ?? labelOf('Redo', lastUndone()),
    delegates: true,
    async run(job, _, services) {
      if (isMove(job)) return moveBack(job, services)
      return void (await undoJob(job, services))
    },
  }),
  defineCommand({
    id: 'run.undoJob',
    title: 'Undo job',
    ...ofOneJob,
    selection: 'changes',
    delegates: true,
    async run(_, { job: id }, services) {
      const job = jobOf(id)
      if (job && undoable(job)) await undoJob(job, services)
    },
  }),
  defineCommand({
    id: 'run.failuresJob',
    title: 'View failures of job',
    ...ofOneJob,
    run(_, { job: id }) {
      const job = jobOf(id)
      if (job) overlay.failures = { title: job.message ?? job.title, failed: failuresOf(job), job: id }
    },
  }),
  defineCommand({
    id: 'run.retryJob',
    title: 'Retry failures of job',
    ...ofOneJob,
    icon: 'reset',
    // Runs on the failed targets, not on the current selection.
    delegates: true,
    run(_, { job: id }, { runCommand }) {
      const job = jobOf(id)
      if (job && retryBlocked(job) === undefined) retry(job, runCommand)
    },
  }),
  defineCommand({
    id: 'run.cancel',
    title: 'Cancel running command',
    recordable: false,
    group: 'control',
    icon: 'close',
    keys: 'shift+q',
    keywords: ['stop', 'abort', 'job', 'progress'],
    on: ['status'],
    short: 'cancel',
    roles,
    needs: something,
    label: () => {
      const running = newestRunning()
      return running ? `Cancel “${running.title}”` : 'Cancel running command'
    },
    run: ({ cancel }) => cancel.abort(),
  }),
  defineCommand({
    id: 'run.cancelJob',
    title: 'Cancel job',
    ...ofOneJob,
    run: (_, { job }) => jobOf(job)?.detail.cancel.abort(),
  }),
]

const isMove = (target: Job | JobMove): target is JobMove => 'isUndone' in target

const moveLabel = (verb: 'Undo' | 'Redo', move: JobMove | undefined): string | undefined =>
  move && `${verb} move of “${move.title}”`

function labelOf(verb: 'Undo' | 'Redo', job: Job | undefined): string {
  if (job && selectionBefore(job)) return `Restore selection before “${whatOf(job)}”`
  if (!job || !undoable(job)) return verb === 'Undo' ? 'Undo last command' : 'Redo'
  return `${verb} “${whatOf(job)}” of ${countOf(restorableCount(job), job.entity)}`
}

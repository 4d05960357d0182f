/** Commands that cancel, retry, undo, export and delete jobs, and select their targets. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { exportTypeNames, exportTypes } from '../../domain/exportTable.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import * as acts from './actions.ts'
import { jobMoves } from './moveCommands.ts'
import { here, one, shown } from './needs.ts'
import { undoneTargets } from './outcomes.ts'
import { jobs, type Job } from '../core/runs/jobs.ts'
import { countOf } from '../core/wording.ts'
import { undoable, undoJob } from './undoJob.ts'

const ended = (job: Job) => (job.state === 'running' ? 'The job is still running' : undefined)
const endedJobs: Needs<number> = () => {
  const count = jobs.list.filter(({ state }) => state !== 'running').length
  return count > 0 ? { target: count } : { blocked: 'No jobs have ended' }
}
const running: Needs<readonly Job[]> = () => {
  const target = jobs.list.filter(({ state, cancelling }) => state === 'running' && !cancelling)
  return target.length > 0 ? { target } : { blocked: 'No jobs are running' }
}

/** Returns a label with the count for the shown job: `Retry 12 devices`. */
const countedLabel = (verb: string, otherwise: string, count: (job: Job) => number) => () => {
  const job = acts.shownJob()
  const many = job ? count(job) : 0
  return job && many > 0 ? `${verb} ${countOf(many, job.entity)}` : otherwise
}

export const jobCommands = [
  ...jobMoves,
  defineCommand({
    ...one,
    id: 'job.cancel',
    title: 'Cancel job',
    icon: 'close',
    keys: 'c',
    keywords: ['job', 'stop', 'abort'],
    on: ['job', 'status'],
    short: 'cancel',
    needs: shown(job =>
      job.state !== 'running' ? 'The job has ended' : job.cancelling ? 'The job is being cancelled' : undefined,
    ),
    run: job => job.detail.cancel.abort(),
  }),
  defineCommand({
    ...here,
    id: 'job.cancelAll',
    title: 'Cancel all jobs',
    icon: 'close',
    keys: 'shift+c',
    keywords: ['stop', 'abort', 'everything'],
    on: ['jobs'],
    needs: running,
    run(all) {
      for (const job of all) job.detail.cancel.abort()
    },
  }),
  defineCommand({
    ...one,
    id: 'job.retry',
    title: 'Retry what failed',
    icon: 'reset',
    keys: 'r',
    keywords: ['job', 'again', 'failed'],
    on: ['job', 'status'],
    short: 'retry',
    needs: shown(acts.retryBlocked),
    label: countedLabel('Retry', 'Retry what failed', job => job.total - job.done),
    run: (job, _, { runCommand }) => acts.retry(job, runCommand),
  }),
  defineCommand({
    ...one,
    id: 'job.undo',
    title: 'Undo job',
    selection: 'changes',
    icon: 'reset',
    keys: 'z',
    keywords: ['job', 'put back', 'revert', 'earlier values', 'redo'],
    on: ['job', 'status'],
    short: 'undo',
    needs: shown(job => {
      if (job.undone) return 'The job is already undone'
      return ended(job) ?? (undoable(job) ? undefined : 'The job can’t be undone')
    }),
    label: () => (acts.shownJob()?.command === 'run.undo' ? 'Redo' : 'Undo'),
    delegates: true,
    run: async (job, _, services) => void (await undoJob(job, services)),
  }),
  defineCommand({
    ...one,
    id: 'job.selectFailed',
    selection: 'changes',
    title: 'Select failed and skipped',
    icon: 'select',
    keys: 'shift+x',
    keywords: ['job', 'selection', 'failed', 'skipped', 'show'],
    needs: shown(job => (job.done < job.total ? undefined : 'All targets are done')),
    label: countedLabel('Select', 'Select failed and skipped', job => job.total - job.done),
    run: (job, _, { go }) => acts.selectTargets(job, undoneTargets(job), go),
  }),
  defineCommand({
    ...one,
    id: 'job.select',
    selection: 'changes',
    title: 'Select all items',
    icon: 'select',
    keys: 'x',
    keywords: ['job', 'selection', 'targets', 'show'],
    needs: shown(job => (acts.selectableCount(job) > 0 ? undefined : 'The targets no longer exist')),
    label: countedLabel('Select', 'Select all items', acts.selectableCount),
    run: (job, _, { go }) => acts.selectTargets(job, acts.selectable(job), go),
  }),
  defineCommand({
    ...one,
    id: 'job.export',
    title: 'Export results',
    icon: 'download',
    keys: 'e',
    keywords: ['job', 'download', 'save', 'file', 'excel', 'xls', 'csv', 'json', 'txt'],
    needs: shown(),
    args: z.object({
      type: withMeta(z.enum(exportTypes), { label: 'File', names: exportTypes.map(type => exportTypeNames[type]) }),
    }),
    progressTitle: 'Exporting',
    run: async (job, { type }, services) => (await import('./exportJob.ts')).exportJob(job, type, services),
  }),
  defineCommand({
    ...one,
    id: 'job.forget',
    title: 'Delete job',
    icon: 'trash',
    keys: ['Delete', 'Backspace'],
    keywords: ['forget', 'remove'],
    danger: true,
    needs: shown(ended),
    confirm: job => ({
      title: `Delete job “${job.title}”?`,
      text: 'Its outcomes are deleted, and it can no longer be undone. Its changes stay.',
      action: 'Delete',
      type: undefined,
      danger: true,
    }),
    run: job => acts.forget(job),
  }),
  defineCommand({
    ...here,
    id: 'job.forgetEnded',
    title: 'Delete finished jobs',
    icon: 'trash',
    keys: 'shift+Delete',
    keywords: ['clear', 'forget', 'remove'],
    on: ['jobs'],
    danger: true,
    needs: endedJobs,
    confirm: count => ({
      title: `Delete ${count === 1 ? '1 job' : `${count} jobs`}?`,
      text: 'Their outcomes are deleted, and they can no longer be undone. Their changes stay.',
      action: 'Delete',
      type: undefined,
      danger: true,
    }),
    run: () => acts.forgetEnded(),
  }),
]

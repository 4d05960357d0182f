/** Commands that retry, undo, export and delete jobs, and select their targets. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { readReasons } from '../../api/jobs/jobList.ts'
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import { exportTypeNames, exportTypes } from '../../domain/exportTable.ts'
import { retryCount } from '../../domain/jobs/counts.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import * as acts from './actions.ts'
import { jobCourseCommands } from './courseCommands.ts'
import { rescheduleCommand } from './rescheduleCommand.ts'
import { deviceTaskCommands } from './deviceTasks.ts'
import { shownEntry, type JobEntry } from './entries.ts'
import { jobMoves } from './moveCommands.ts'
import { here, one, shown, shownServerJob } from './needs.ts'
import { undoneTargets } from './outcomes.ts'
import * as server from './serverActions.ts'
import { jobs, type Job } from '../core/runs/jobs.ts'
import { countOf } from '../core/wording.ts'
import { undoable, undoJob } from './undoJob.ts'

const ended = (job: Job) => (job.state === 'running' ? 'The job is still running' : undefined)
const endedJobs: Needs<number> = () => {
  const count = jobs.list.filter(({ state, remote }) => state !== 'running' && remote === undefined).length
  return count > 0 ? { target: count } : { blocked: 'No jobs of this browser have ended' }
}

/** Returns a label with the count for the shown job: `Retry 12 devices`. */
const countedLabel =
  (verb: string, otherwise: string, local: (job: Job) => number, remote: (job: ServerJob) => number) => () => {
    const entry = shownEntry()
    if (!entry) return otherwise
    const count = entry.is === 'local' ? local(entry.job) : remote(entry.job)
    return count > 0 ? `${verb} ${countOf(count, entry.is === 'local' ? entry.job.entity : 'devices')}` : otherwise
  }

const undoLabel = (entry: JobEntry | undefined): string =>
  entry?.is === 'server' ? server.undoVerb(entry.job) : entry?.job.command === 'run.undo' ? 'Redo' : 'Undo'
const notDone = ({ done, total }: Pick<Job, 'done' | 'total'>) => total - done
const allDone = (job: Pick<Job, 'done' | 'total'>) => (notDone(job) > 0 ? undefined : 'All targets are done')

export const jobCommands = [
  ...jobMoves,
  ...jobCourseCommands,
  rescheduleCommand,
  ...deviceTaskCommands,
  defineCommand({
    ...one,
    id: 'job.retry',
    title: 'Retry what failed',
    icon: 'reset',
    keys: 'r',
    keywords: ['job', 'again', 'failed'],
    on: ['job', 'status'],
    short: 'retry',
    needs: shown({ local: acts.retryBlocked, server: server.retryBlocked }),
    label: countedLabel('Retry', 'Retry what failed', job => job.total - job.done, retryCount),
    delegates: true,
    run: (entry, _, services) =>
      entry.is === 'server' ? server.retry(entry.job, null, services) : acts.retry(entry.job, services.runCommand),
  }),
  defineCommand({
    ...one,
    id: 'job.retryReason',
    title: 'Retry one reason',
    icon: 'reset',
    keys: 'shift+r',
    keywords: ['job', 'again', 'failed', 'reason', 'only'],
    on: [],
    needs: shownServerJob('This job can only be retried as a whole', server.retryBlocked),
    args: z.object({ reason: withMeta(z.string(), { label: 'Reason' }) }),
    choices: {
      async reason(_, query) {
        const entry = shownEntry()
        const reasons = entry?.is === 'server' ? await readReasons(entry.id) : []
        return reasons
          .filter(({ reason }) => reason.toLowerCase().includes(query.trim().toLowerCase()))
          .map(({ reason, count }) => ({ value: reason, name: reason, detail: countOf(count, 'devices') }))
      },
    },
    delegates: true,
    run: (job, { reason }, services) => server.retry(job, reason, services),
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
    needs: shown({
      local(job) {
        if (job.undone) return 'The job is already undone'
        return ended(job) ?? (undoable(job) ? undefined : 'The job can’t be undone')
      },
      server: server.undoBlocked,
    }),
    label: () => undoLabel(shownEntry()),
    delegates: true,
    run: async (entry, _, services) => {
      if (entry.is === 'server') await server.undo(entry.job, services)
      else await undoJob(entry.job, services)
    },
  }),
  defineCommand({
    ...one,
    id: 'job.selectFailed',
    selection: 'changes',
    title: 'Select failed and skipped',
    icon: 'select',
    keys: 'shift+x',
    keywords: ['job', 'selection', 'failed', 'skipped', 'show'],
    needs: shown({ local: allDone, server: ({ counts, total }) => allDone({ done: counts.done, total }) }),
    label: countedLabel('Select', 'Select failed and skipped', notDone, ({ counts, total }) => total - counts.done),
    progressTitle: 'Selecting',
    run: (entry, _, services) =>
      entry.is === 'server'
        ? server.selectDevices(entry.job, 'undone', services)
        : acts.selectTargets(entry.job, undoneTargets(entry.job), services.go),
  }),
  defineCommand({
    ...one,
    id: 'job.select',
    selection: 'changes',
    title: 'Select all items',
    icon: 'select',
    keys: 'x',
    keywords: ['job', 'selection', 'targets', 'show'],
    needs: shown({
      local: job => (acts.selectableCount(job) > 0 ? undefined : 'The targets no longer exist'),
    }),
    label: countedLabel('Select', 'Select all items', acts.selectableCount, ({ total }) => total),
    progressTitle: 'Selecting',
    run: (entry, _, services) =>
      entry.is === 'server'
        ? server.selectDevices(entry.job, undefined, services)
        : acts.selectTargets(entry.job, acts.selectable(entry.job), services.go),
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
    run: async (entry, { type }, services) => {
      if (entry.is === 'server')
        return (await import('./exportServerJob.ts')).exportServerJob(entry.job, type, services)
      return (await import('./exportJob.ts')).exportJob(entry.job, type, services)
    },
  }),
  defineCommand({
    ...one,
    id: 'job.forget',
    title: 'Delete job',
    icon: 'trash',
    keys: ['Delete', 'Backspace'],
    keywords: ['forget', 'remove'],
    danger: true,
    needs: shown({ local: ended, server: () => 'Jobs of the server are kept for 400 days' }),
    confirm: entry => ({
      title: `Delete job “${entry.is === 'local' ? entry.job.title : ''}”?`,
      text: 'Its outcomes are deleted, and it can no longer be undone. Its changes stay.',
      action: 'Delete',
      type: undefined,
      danger: true,
    }),
    run(entry) {
      if (entry.is === 'local') acts.forget(entry.job)
    },
  }),
  defineCommand({
    ...here,
    id: 'job.forgetEnded',
    title: 'Delete finished jobs of this browser',
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

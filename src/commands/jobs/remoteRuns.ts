/** Jobs of the server as runs of this page: what became of their devices, also of jobs that another page started. */
import { ref } from 'valtio'
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import { allTasks } from '../../api/jobs/jobs.ts'
import type { Progress } from '../../api/readMatches.ts'
import { retryCount } from '../../domain/jobs/counts.ts'
import { jobs, noProgress, type Job } from '../core/runs/jobs.ts'
import { readOutcome } from '../core/runs/jobOutcome.ts'
import type { Outcome } from '../core/runs/outcome.ts'
import { readDevices } from '../selection/selectList.ts'
import { commandOfJob, commandTitle, jobTitle, undoCount } from './serverCommands.ts'

/**
 * Whether a job of this page is being created, whose id on the server is not known yet; only by runs that had started
 * before a time, if one is given.
 */
const isCreating = (before = Infinity): boolean =>
  jobs.list.some(({ state, remote, startedAt }) => state === 'running' && remote === undefined && startedAt <= before)

const runOf = ({ _id }: ServerJob): Job | undefined => jobs.list.find(({ remote }) => remote === _id)

/**
 * Adds a job of the server, which another page has started, to those of this page, and returns it; undefined if it is
 * known or may be one that this page creates at the moment.
 */
export const addRemoteJob = (job: ServerJob, all: readonly ServerJob[]): Job | undefined =>
  isCreating() || runOf(job) ? undefined : addRun(job, all)

function addRun(job: ServerJob, all: readonly ServerJob[]): Job | undefined {
  const command = commandOfJob(job)
  if (!command) return undefined
  const parentOf = (id: string) => all.find(({ _id }) => _id === id)
  const undoes = job.kind === 'undo'
  const startedAt = Date.parse(job.created_at)
  const added: Job = {
    id: job._id,
    title: jobTitle(job, parentOf),
    command: undoes ? (undoCount(job, parentOf) % 2 === 1 ? 'run.undo' : 'run.redo') : command.id,
    entity: 'devices',
    remote: job._id,
    detail: ref({
      targets: [],
      skipped: new Set<string>(),
      input: undoes ? { of: command.id, title: commandTitle(job) } : job.input,
      ended: new Map<string, string | undefined>(),
      before: [],
      restored: new Set<string>(),
      cancel: new AbortController(),
      again: undefined,
      inverse: command.undo,
    }),
    startedAt,
    endedAt: job.ended_at === null ? undefined : Date.parse(job.ended_at),
    state: job.state === 'ended' ? 'done' : 'running',
    total: job.total,
    done: job.counts.done,
    failed: retryCount(job),
    inFlight: noProgress,
    cancelling: false,
    message: undefined,
    undone: all.some(
      ({ kind, parent, counts }) => kind === 'undo' && parent === job._id && counts.done >= job.counts.done,
    ),
  }
  jobs.list = [...jobs.list, added].toSorted((a, b) => b.startedAt - a.startedAt)
  return jobs.list.find(({ id }) => id === added.id)
}

/**
 * Returns an ended job as a run of this page, with what became of its devices, and which of them other jobs have
 * restored. Rejects with ApiError.
 */
export async function loadRun(job: ServerJob, all: readonly ServerJob[], progress: Progress): Promise<Job> {
  const run = runOf(job) ?? addRun(job, all)
  if (!run) throw new Error('This version of the console does not have the command of the job')
  await loadOutcome(run, job, progress)
  run.done = job.counts.done
  for (const undo of all.filter(({ kind, parent, counts }) => kind === 'undo' && parent === job._id && counts.done > 0))
    for await (const tasks of allTasks(undo._id, progress))
      for (const { bssid, state } of tasks) if (state === 'done') run.detail.restored.add(bssid)
  return run
}

/** Adds ended jobs, so that the newest one can be undone, also while a run that started later is in progress. */
export function addEndedJobs(all: readonly ServerJob[]): void {
  for (const job of all)
    if (job.state === 'ended' && !runOf(job) && !isCreating(Date.parse(job.created_at))) addRun(job, all)
}

/** Reads the devices of a job that another page has started, and what became of each. Rejects with ApiError. */
export async function loadOutcome({ detail }: Job, job: ServerJob, progress: Progress): Promise<Outcome> {
  const outcome = await readOutcome(job, undefined, progress)
  for (const id of outcome.done) detail.ended.set(id, undefined)
  for (const { id, message } of outcome.failed) detail.ended.set(id, message)
  detail.targets = await readDevices([...detail.ended.keys()], progress)
  return outcome
}

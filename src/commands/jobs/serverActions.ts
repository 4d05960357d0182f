/** The actions of commands on jobs of the server: pause, cancel, retry, undo, and select their devices. */
import { maxPerCall, type Endpoint } from '../../api/contract/endpoint.ts'
import { isRecordCommand, jobs as contract, type Job, type Task } from '../../api/contract/jobs.ts'
import { cachedJobs } from '../../api/jobs/jobCache.ts'
import { readReasons } from '../../api/jobs/jobList.ts'
import { allTasks } from '../../api/jobs/jobs.ts'
import { revalidate } from '../../api/hooks.ts'
import { undoneStates } from '../../domain/columns/jobs.ts'
import type { Question } from '../../domain/commands/question.ts'
import { openCount, retryCount } from '../../domain/jobs/counts.ts'
import { routes } from '../../domain/lists/routes.ts'
import { selections, type AnyItem } from '../../store/selection.ts'
import { retryCommand } from '../core/execution/retryJob.ts'
import { unreadMatches } from '../core/execution/unreadMatches.ts'
import type { Services } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { jobs } from '../core/runs/jobs.ts'
import { readDevices } from '../selection/selectList.ts'
import { findServerJob, isUndone } from './entries.ts'
import { goToJob } from './moves.ts'
import { loadRun } from './remoteRuns.ts'
import { commandOfJob, jobTitle, undoCount } from './serverCommands.ts'
import { policyWords } from './serverJobs.ts'
import { undoBlocked as runUndoBlocked, undoJob } from './undoJob.ts'

export const titleOf = (job: Job): string => jobTitle(job, findServerJob)

/** Why a job cannot be paused or resumed, or undefined if it can. */
export function pauseBlocked({ state, kind }: Job): string | undefined {
  if (state === 'ended') return 'The job has ended'
  if (kind === 'call') return 'Calls made by a program cannot be paused or cancelled'
  return state === 'cancelling' ? 'The job is being cancelled' : undefined
}
/** Why a job cannot be cancelled, or undefined if it can. */
export const cancelBlocked = pauseBlocked

export const retryBlocked = (job: Job): string | undefined => (retryCount(job) === 0 ? 'Nothing has failed' : undefined)

/** Why a job cannot be undone, or undefined if it can. */
export function undoBlocked(job: Job): string | undefined {
  if (job.state !== 'ended') return 'The job is still running'
  if (isUndone(job, cachedJobs(jobs.view.pages)?.data ?? [])) return 'The job is already undone'
  if (job.counts.done === 0) return 'The job changed nothing'
  return commandOfJob(job)?.undo ? undefined : 'The job can’t be undone'
}

/** Changes the course of a job, and reads it again. */
async function change(endpoint: typeof contract.pause, job: Job, { call }: Services): Promise<void> {
  await call(endpoint, { params: { id: job._id } })
  await revalidate(endpoint)
}

export async function pauseOrResume(job: Job, services: Services): Promise<string> {
  const resumes = job.state === 'paused'
  await change(resumes ? contract.resume : contract.pause, job, services)
  return `${resumes ? 'Resumed' : 'Paused'} “${titleOf(job)}”`
}

export async function cancel(job: Job, services: Services): Promise<string> {
  await change(contract.cancel, job, services)
  return `Cancelled “${titleOf(job)}”`
}

/** From this number of devices on, cancelling asks first. */
const manyDevices = 50

/** Asks before many devices are left out; a retry takes them later. */
export function cancelQuestion(job: Job): Question | undefined {
  const left = openCount(job)
  if (left < manyDevices) return undefined
  return {
    title: `Cancel “${titleOf(job)}” for ${countOf(left, 'devices')}?`,
    text: `${isRecordCommand(job.command) ? '' : 'Commands already sent will finish. '}The other devices stay unchanged. You can retry them later.`,
    action: 'Cancel the job',
    type: undefined,
    danger: true,
  }
}

/** Returns what a retry does again: only one reason, and on one device the policy, which more have as chips. */
function retryText(job: Job, reason: string | null, count: number): string {
  const words = count === 1 ? policyWords(job.policy) : []
  const text = [
    ...(reason === null ? [] : [`Those with the reason “${reason}”.`]),
    ...(words.length > 0 ? [`As before: ${words.join('; ')}.`] : []),
  ]
  return text.join(' ')
}

/** Shows a job that was just created, once the list that starts with it has been read. */
async function follow(id: string, endpoint: Endpoint): Promise<void> {
  await revalidate(endpoint)
  goToJob(id)
}

/** Returns the devices that did not do a job, or those with one reason; more than one call would return are only counted. */
async function retryTargets(job: Job, reason: string | null, { progress }: Services): Promise<readonly AnyItem[]> {
  const count =
    reason === null
      ? retryCount(job)
      : ((await readReasons(job._id)).find(each => each.reason === reason)?.count ?? retryCount(job))
  if (count > maxPerCall) return unreadMatches(count)
  const isRetried = ({ state, reason: given }: Task) =>
    undoneStates.includes(state) && (reason === null || given === reason)
  const ids: string[] = []
  for await (const tasks of allTasks(job._id, progress, 'undone'))
    ids.push(...tasks.filter(isRetried).map(({ bssid }) => bssid))
  return readDevices(ids, progress)
}

/** Sends the command again to the devices that did not do it, or to those with one reason, once it was approved. */
export async function retry(job: Job, reason: string | null, services: Services): Promise<void> {
  const command = commandOfJob(job)
  if (!command) throw new Error('This version of the console does not have the command of the job')
  const targets = await retryTargets(job, reason, services)
  if (targets.length === 0) throw new Error('The devices no longer exist')
  const title = titleOf(job)
  const again = retryCommand(command, job._id, targets, {
    reason,
    text: retryText(job, reason, targets.length),
    ...(title !== command.title && { title }),
    onCreated: id => void follow(id, contract.retry),
  })
  // Not awaited, because the new run has its own prompts, progress and outcome.
  void services.runCommand(again, job.input, targets)
}

/** Undoing an undo is a redo. */
export const undoVerb = (job: Job): 'Undo' | 'Redo' => (undoCount(job, findServerJob) % 2 === 1 ? 'Redo' : 'Undo')

/** Restores what the job replaced, once that was approved. */
export async function undo(job: Job, services: Services): Promise<void> {
  const run = await loadRun(job, cachedJobs(jobs.view.pages)?.data ?? [], services.progress)
  const reason = runUndoBlocked(run)
  if (reason !== undefined) throw new Error(reason)
  await undoJob(run, services, id => void follow(id, contract.undo))
}

/** Replaces the selection by the devices of the job that still exist, or by those that are not done; shows their list. */
export async function selectDevices(job: Job, only: 'undone' | undefined, { go, progress }: Services): Promise<string> {
  const ids: string[] = []
  for await (const tasks of allTasks(job._id, progress, only)) ids.push(...tasks.map(({ bssid }) => bssid))
  const items = await readDevices(ids, progress)
  if (items.length === 0) return 'The devices no longer exist'
  selections.devices.replace(items, [`the job “${titleOf(job)}”`])
  go(routes.devices.path)
  return `Selected ${countOf(items.length, 'devices')}`
}

/** The actions of commands on jobs of the server: pause, cancel, retry, undo, and select their devices. */
import type { Endpoint } from '../../api/contract/endpoint.ts'
import { jobs as contract, type Job } from '../../api/contract/jobs.ts'
import { cachedJobs } from '../../api/jobs/jobList.ts'
import { allTasks } from '../../api/jobs/jobs.ts'
import { revalidate } from '../../api/hooks.ts'
import type { Question } from '../../domain/commands/question.ts'
import { openCount, retryCount } from '../../domain/jobs/counts.ts'
import { routes } from '../../domain/lists/routes.ts'
import { selections } from '../../store/selection.ts'
import type { Services } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { jobs } from '../core/runs/jobs.ts'
import { readDevices } from '../selection/selectList.ts'
import { findServerJob, isUndone } from './entries.ts'
import { goToJob } from './moves.ts'
import { commandOfJob, commandTitle, jobTitle } from './serverCommands.ts'
import { policyWords } from './serverJobs.ts'

export const titleOf = (job: Job): string => jobTitle(job, findServerJob)

/** Why a job cannot be paused or resumed, or undefined if it can. */
export function pauseBlocked({ state, kind }: Job): string | undefined {
  if (state === 'ended') return 'The job has ended'
  if (kind === 'call') return 'What a program has called cannot be paused or cancelled'
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
    text: 'What was sent is awaited; the other devices are left as they are. A retry takes them later.',
    action: 'Cancel the job',
    type: undefined,
    danger: true,
  }
}

/** Asks before a command is sent again, with the policy that holds again. `count`: undefined if it is not known. */
export function retryQuestion(job: Job, count: number | undefined, reason?: string): Question {
  const devices = count === undefined ? 'these devices' : countOf(count, 'devices')
  const waits = typeof job.policy.offline === 'number'
  const words = policyWords(job.policy)
  const text = [
    ...(reason === undefined ? [] : [`Those with the reason “${reason}”.`]),
    words.length > 0
      ? `As before: ${words.join('; ')}.`
      : waits
        ? undefined
        : 'Devices that are offline are skipped again.',
  ]
  return {
    title: `Retry “${titleOf(job)}” on ${devices}?`,
    text: text.filter(Boolean).join(' '),
    action: `Retry ${devices}`,
    type: undefined,
    danger: false,
  }
}

/** Creates a job and shows it; it has read the list in which the job is the first one. */
async function follow(id: string, endpoint: Endpoint): Promise<void> {
  await revalidate(endpoint)
  goToJob(id)
}

/** Sends the command again to the devices that did not do it; to those with one reason, if it is given. */
export async function retry(job: Job, reason: string | null, { call }: Services): Promise<string> {
  const created = await call(contract.retry, { params: { id: job._id }, body: { reason } })
  if ('_id' in created) await follow(created._id, contract.retry)
  return `Retrying “${titleOf(job)}”`
}

export function undoQuestion(job: Job): Question {
  const count = countOf(job.counts.done, 'devices')
  return {
    title: `${undoVerb(job)} “${commandTitle(job)}” for ${count}?`,
    text: 'Each device gets back the values that it had before. Devices that are offline are skipped.',
    action: `${undoVerb(job)} ${count}`,
    type: undefined,
    danger: false,
  }
}

/** Undoing an undo is a redo. */
export const undoVerb = (job: Job): 'Undo' | 'Redo' => (titleOf(job).startsWith('Undo “') ? 'Redo' : 'Undo')

/** Restores what the job replaced. */
export async function undo(job: Job, { call }: Services): Promise<string> {
  const created = await call(contract.undo, { params: { id: job._id } })
  if ('_id' in created) await follow(created._id, contract.undo)
  return `${undoVerb(job) === 'Redo' ? 'Redoing' : 'Undoing'} “${commandTitle(job)}”`
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

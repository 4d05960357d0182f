/** Moves a scheduled job to another time, and undoes and redoes the latest move, which is no run on rows. */
import * as z from 'zod/mini'
import { TimeInput, withMeta } from '../../api/contract/fields.ts'
import type { JobStart } from '../../api/contract/jobPolicy.ts'
import { jobs as contract, type Job } from '../../api/contract/jobs.ts'
import { revalidate } from '../../api/hooks.ts'
import { keepStart } from '../../api/jobs/jobList.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { formatDateTime } from '../../domain/format.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { jobs, type JobMove } from '../core/runs/jobs.ts'
import type { Services } from '../core/types.ts'
import { one, shownServerJob } from './needs.ts'
import { titleOf } from './serverActions.ts'

/**
 * Lets a scheduled job start at another time (ISO) and remembers the change for undo; a repeating job keeps its rule, which
 * then counts from that time. Returns a message. Rejects with ApiError.
 */
export async function rescheduleJob(job: Job, start: string, services: Pick<Services, 'call'>): Promise<string> {
  const from = typeof job.policy.start === 'object' ? job.policy.start : job.start_at
  // A rule counts from its start, which gives the time of day.
  const to = typeof from === 'object' ? { ...from, from: start } : start
  const message = await setStart(job, to, services)
  jobs.moved = { job: job._id, title: titleOf(job), from, to, at: Date.now(), isUndone: false }
  return message
}

/** Sets the start or the rule of a scheduled job. Returns a message. Rejects with ApiError. */
async function setStart(job: Job, start: JobStart, { call }: Pick<Services, 'call'>): Promise<string> {
  await call(contract.reschedule, { params: { id: job._id }, body: { start } })
  await revalidate(contract.reschedule)
  // Another change may have interrupted reading the jobs again.
  if (typeof start === 'string') await keepStart(job._id, start)
  return `“${titleOf(job)}” starts ${formatDateTime(typeof start === 'string' ? start : start.from)}`
}

/** Returns the latest move, unless it is undone or a command ran after it. `latestRun`: epoch milliseconds of that command. */
export const lastMove = (latestRun: number | undefined): JobMove | undefined => moveAfter(latestRun, false)

/** Returns the latest move if it is undone and no command ran since. */
export const lastUndoneMove = (latestRun: number | undefined): JobMove | undefined => moveAfter(latestRun, true)

function moveAfter(latestRun = 0, isUndone: boolean): JobMove | undefined {
  const { moved } = jobs
  return moved && moved.isUndone === isUndone && moved.at > latestRun ? moved : undefined
}

/** Undoes a move, or redoes it if it is undone. Returns a message. Rejects if the time has passed, or with ApiError. */
export async function moveBack({ job: id, title, from, to, isUndone }: JobMove, services: Services): Promise<string> {
  const start = isUndone ? to : from
  if (typeof start === 'string' && Date.parse(start) <= Date.now())
    // The server would start it at once.
    throw new Error(`${momentText(systemTimeZone(), Date.parse(start))} has passed. “${title}” keeps its time`)
  const job = await services.call(contract.detail, { params: { id } })
  const message = await setStart(job, start, services)
  jobs.moved = { job: id, title, from, to, at: Date.now(), isUndone: !isUndone }
  return message
}

export const rescheduleCommand = defineCommand({
  ...one,
  id: 'job.reschedule',
  title: 'Reschedule job',
  icon: 'calendar',
  keys: 't',
  keywords: ['job', 'start', 'move', 'time', 'later', 'postpone'],
  needs: shownServerJob('Jobs of this browser have started', ({ state }) =>
    state === 'scheduled' ? undefined : 'The job has started',
  ),
  args: z.object({ start: withMeta(TimeInput, { label: 'Start' }) }),
  run: (job, { start }, services) => rescheduleJob(job, start, services),
})

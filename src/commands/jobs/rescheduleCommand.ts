/** The command that moves a scheduled job to another time. */
import * as z from 'zod/mini'
import { TimeInput, withMeta } from '../../api/contract/fields.ts'
import type { JobStart } from '../../api/contract/jobPolicy.ts'
import { jobs as contract, type Job } from '../../api/contract/jobs.ts'
import { revalidate } from '../../api/hooks.ts'
import { keepStart } from '../../api/jobs/jobList.ts'
import { formatDateTime } from '../../domain/format.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { jobs } from '../core/runs/jobs.ts'
import type { Services } from '../core/types.ts'
import { one, shownServerJob } from './needs.ts'
import { titleOf } from './serverActions.ts'

/** Lets a scheduled job begin at another time, so that this can be undone, and returns what to say about it. */
export async function moveJob(job: Job, start: string, services: Pick<Services, 'call'>): Promise<string> {
  const { policy, start_at } = job
  const isRepeated = typeof policy.start === 'object'
  const from = isRepeated ? policy.start! : start_at
  // A rule counts from its start, which gives the time of day.
  const to = typeof policy.start === 'object' ? { ...policy.start, from: start } : start
  const message = await reschedule(job, to, services)
  jobs.moved = { job: job._id, title: titleOf(job), from, to, at: Date.now(), isUndone: false }
  return message
}

/** Lets a scheduled job begin at another time, or be repeated by another rule, and returns what to say about it. */
export async function reschedule(job: Job, start: JobStart, { call }: Pick<Services, 'call'>): Promise<string> {
  await call(contract.reschedule, { params: { id: job._id }, body: { start } })
  await revalidate(contract.reschedule)
  // Another change may have interrupted reading the jobs again.
  if (typeof start === 'string') await keepStart(job._id, start)
  return `“${titleOf(job)}” starts ${formatDateTime(typeof start === 'string' ? start : start.from)}`
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
  run: (job, { start }, services) => moveJob(job, start, services),
})

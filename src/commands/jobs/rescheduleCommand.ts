/** The command that moves a scheduled job to another time. */
import * as z from 'zod/mini'
import { TimeInput, withMeta } from '../../api/contract/fields.ts'
import { jobs as contract, type Job } from '../../api/contract/jobs.ts'
import { revalidate } from '../../api/hooks.ts'
import { formatDateTime } from '../../domain/format.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Services } from '../core/types.ts'
import { one, shownServerJob } from './needs.ts'
import { titleOf } from './serverActions.ts'

/** Lets a scheduled job begin at another ISO time, and returns what to say about it. */
export async function reschedule(job: Job, start: string, { call }: Pick<Services, 'call'>): Promise<string> {
  const { start: before } = job.policy
  // A rule counts from its start, which gives the time of day.
  const begins = typeof before === 'object' ? { ...before, from: start } : start
  await call(contract.reschedule, { params: { id: job._id }, body: { start: begins } })
  await revalidate(contract.reschedule)
  return `“${titleOf(job)}” starts ${formatDateTime(start)}`
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
  run: (job, { start }, services) => reschedule(job, start, services),
})

/** What the commands on jobs have in common, and when there is something for them. */
import { roles } from '../../domain/roles.ts'
import { onPlace, unless, whenFound } from '../core/screenNeeds.ts'
import { shownJob } from './actions.ts'
import type { Job } from '../core/runs/jobs.ts'

const anyJob = whenFound(onPlace('jobs'), shownJob, 'There are no jobs')

/** The job that is shown, unless there is a reason against it. */
export const shown = (against: (job: Job) => string | undefined = () => undefined) => unless(anyJob, against)

/** Of all of them. */
export const here = { group: 'insight', place: 'jobs', recordable: false, roles } as const
/** Of the job that is shown whole. */
export const one = { ...here, on: ['job'], keywords: ['job'] } as const

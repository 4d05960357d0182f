/** What the commands on jobs have in common, and when there is something for them. */
import { roles } from '../../domain/roles.ts'
import { placeOf } from '../../domain/routes.ts'
import type { Needs } from '../core/types.ts'
import { shownJob } from './actions.ts'
import type { Job } from '../core/runs/jobs.ts'

const onScreen: Needs<undefined> = ({ path }) =>
  placeOf(path) === 'jobs' ? { target: undefined } : { blocked: 'Open the jobs first' }

/** The job that is shown, unless there is a reason against it. */
export const shown =
  (against: (job: Job) => string | undefined = () => undefined): Needs<Job> =>
  context => {
    const open = onScreen(context)
    if ('blocked' in open) return open
    const job = shownJob()
    const reason = job ? against(job) : 'There are no jobs'
    return job && reason === undefined ? { target: job } : { blocked: reason ?? 'There are no jobs' }
  }

/** Of all of them. */
export const here = { group: 'insight', place: 'jobs', recordable: false, roles } as const
/** Of the job that is shown whole. */
export const one = { ...here, on: ['job'], keywords: ['job'] } as const

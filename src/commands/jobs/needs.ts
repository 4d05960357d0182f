/** Shared by job commands: needs and presentation. */
import { roles } from '../../domain/roles.ts'
import { onScreen, unless, whenFound } from '../core/screenNeeds.ts'
import { shownJob } from './actions.ts'
import type { Job } from '../core/runs/jobs.ts'

const anyJob = whenFound(onScreen('jobs'), shownJob, 'There are no jobs')

/** Needs the shown job; `against` returns the reason why a command is blocked for it. */
export const shown = (against: (job: Job) => string | undefined = () => undefined) => unless(anyJob, against)

/** Shared by all job commands. */
export const here = { group: 'insight', screen: 'jobs', recordable: false, roles } as const
/** Shared by commands on the shown job. */
export const one = { ...here, on: ['job'], keywords: ['job'] } as const

/** Shared by job commands: needs and presentation. */
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import { roles } from '../../domain/roles.ts'
import { onScreen, unless, whenFound } from '../core/screenNeeds.ts'
import type { Needs } from '../core/types.ts'
import type { Job } from '../core/runs/jobs.ts'
import { entries, shownEntry, type JobEntry } from './entries.ts'

const anyJob = whenFound(onScreen('jobs'), shownEntry, 'There is no job, or it is still loading')

/** Needs any job, also while the one that the address names is loading or cannot be read. */
export const anyListed = whenFound(onScreen('jobs'), () => shownEntry() ?? entries()[0], 'There are no jobs')

/** The reasons why a command is blocked for a job of this browser and for one of the server; undefined if it is not. */
interface Against {
  readonly local?: (job: Job) => string | undefined
  readonly server?: (job: ServerJob) => string | undefined
}

/** Needs the shown job. */
export const shown = ({ local, server }: Against = {}): Needs<JobEntry> =>
  unless(anyJob, entry => (entry.is === 'local' ? local?.(entry.job) : server?.(entry.job)))

/** Needs a shown job of the server; `against` returns the reason why a command is blocked for it. */
export const shownServerJob = (
  reasonOfLocal: string,
  against: (job: ServerJob) => string | undefined = () => undefined,
): Needs<ServerJob> => {
  const needs = shown({ local: () => reasonOfLocal, server: against })
  return context => {
    const need = needs(context)
    if ('blocked' in need) return need
    return need.target.is === 'server' ? { target: need.target.job } : { blocked: reasonOfLocal }
  }
}

/** Shared by all job commands. */
export const here = { group: 'insight', screen: 'jobs', recordable: false, roles } as const
/** Shared by commands on the shown job. */
export const one = { ...here, on: ['job'], keywords: ['job'] } as const

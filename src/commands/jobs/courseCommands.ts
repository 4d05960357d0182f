/** Commands that change the course of jobs: cancel, pause and resume. */
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import { cachedJobs } from '../../api/jobs/jobCache.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { jobs, type Job } from '../core/runs/jobs.ts'
import type { Needs } from '../core/types.ts'
import { isOwnJob, shownEntry } from './entries.ts'
import { here, one, shown, shownServerJob } from './needs.ts'
import * as server from './serverActions.ts'

/** The jobs that `Cancel all jobs` cancels: those of this browser, and the account's own of the server. */
interface Running {
  readonly local: readonly Job[]
  readonly remote: readonly ServerJob[]
}
const running: Needs<Running> = () => {
  const local = jobs.list.filter(({ state, cancelling, remote }) => state === 'running' && !cancelling && !remote)
  const remote = (cachedJobs(jobs.view.pages)?.data ?? []).filter(job => job.state === 'running' && isOwnJob(job))
  return local.length + remote.length > 0 ? { target: { local, remote } } : { blocked: 'No jobs are running' }
}

export const jobCourseCommands = [
  defineCommand({
    ...one,
    id: 'job.cancel',
    title: 'Cancel job',
    icon: 'close',
    keys: 'c',
    keywords: ['job', 'stop', 'abort'],
    on: ['job', 'status'],
    short: 'cancel',
    needs: shown({
      local: job =>
        job.state !== 'running' ? 'The job has ended' : job.cancelling ? 'The job is being cancelled' : undefined,
      server: server.cancelBlocked,
    }),
    confirm: entry => (entry.is === 'server' ? server.cancelQuestion(entry.job) : undefined),
    run: (entry, _, services) =>
      entry.is === 'server' ? server.cancel(entry.job, services) : entry.job.detail.cancel.abort(),
  }),
  defineCommand({
    ...here,
    id: 'job.cancelAll',
    title: 'Cancel all jobs',
    icon: 'close',
    keys: 'shift+c',
    keywords: ['stop', 'abort', 'everything'],
    on: ['jobs'],
    needs: running,
    confirm: ({ remote }) =>
      remote.length === 0
        ? undefined
        : {
            title: `Cancel ${remote.length === 1 ? 'your running job' : `your ${remote.length} running jobs`}?`,
            text: 'Commands already sent will finish. The other devices stay unchanged.',
            action: 'Cancel all',
            type: undefined,
            danger: true,
          },
    async run({ local, remote }, _, services) {
      for (const job of local) job.detail.cancel.abort()
      for (const job of remote) await server.cancel(job, services)
    },
  }),
  defineCommand({
    ...one,
    id: 'job.pause',
    title: 'Pause or resume job',
    icon: 'clock',
    keys: 'p',
    keywords: ['job', 'pause', 'resume', 'hold', 'continue'],
    on: ['job', 'status'],
    short: 'pause',
    needs: shownServerJob('Jobs of this browser cannot be paused', server.pauseBlocked),
    label: () => {
      const entry = shownEntry()
      return entry?.is === 'server' && entry.job.state === 'paused' ? 'Resume' : 'Pause'
    },
    run: (job, _, services) => server.pauseOrResume(job, services),
  }),
]

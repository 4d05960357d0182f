/** Watches a job until it has ended. */
import { setTimeout as wait } from 'node:timers/promises'
import { jobs, type Job } from '../src/api/contract/jobs.ts'
import { formatNumber } from '../src/domain/format.ts'
import { backoffDelay, retry } from '../src/domain/lib/retry.ts'
import type { Client } from './client.ts'
import { Failure, type ExitCodeName } from './failure.ts'
import { endLine, progressLine } from './jobTexts.ts'
import type { Presentation } from './present.ts'
import { printable, printableJson } from './printable.ts'

/** Milliseconds between two looks at a job, and at one that has not begun. */
const interval = 500
const scheduledInterval = 5_000
/** How often a look is tried again while the server does not answer, after growing pauses of milliseconds. */
const retries = 5
const firstPause = 1_000

/**
 * Shows the progress of a job, and what came of it. Resolves with how the program ends: `done` if all devices did it. A job
 * that is paused is not waited for, because a person has to look at it.
 */
export async function watchJob(id: string, client: Client, presentation: Presentation): Promise<ExitCodeName> {
  const { terminal, isJson } = presentation
  const onInterrupt = () => {
    terminal.say(`The job continues. To watch it again: permeate jobs watch ${printable(id)}`)
    process.exit(130)
  }
  process.once('SIGINT', onInterrupt)
  try {
    for (let last = ''; ;) {
      const job = await look(id, client)
      const line = isJson ? printableJson(job) : progressLine(job)
      if (line !== last && isJson) terminal.print(line)
      if (!isJson) terminal.progress(line)
      last = line
      if (job.state === 'ended' || job.state === 'paused') return await end(job, client, presentation)
      await wait(job.state === 'scheduled' ? scheduledInterval : interval)
    }
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

/** Reads a job, also if the server is away for a moment. */
const look = (id: string, client: Client): Promise<Job> =>
  retry(() => client.call(jobs.detail, { params: { id } }), {
    isTransient: error => error instanceof Failure && error.exitCodeName === 'unreachable',
    delay: attempt => (attempt < retries ? backoffDelay(firstPause, attempt) : undefined),
  })

async function end(job: Job, client: Client, { terminal, isJson }: Presentation): Promise<ExitCodeName> {
  if (!isJson) {
    terminal.print(endLine(job))
    for (const line of await reasonLines(job, client)) terminal.print(line)
  }
  return job.state === 'ended' && job.counts.done === job.total ? 'done' : 'failed'
}

/** Returns why devices did not do it, most frequent first. */
async function reasonLines({ _id, total, counts }: Job, client: Client): Promise<string[]> {
  if (counts.done === total) return []
  const reasons = await client.call(jobs.reasons, { params: { id: _id } })
  return reasons.map(({ reason, count }) => `  ${formatNumber(count, 0)} ${printable(reason)}`)
}

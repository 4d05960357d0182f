/** Follows a job through the API. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Job, Task } from '../../../src/api/contract/jobs.ts'
import type { Call } from '../apiCalls.ts'

/** Milliseconds between two looks at the job. */
const look = 100

/** Returns the share of a job's tasks that have ended, 0–1. */
export const endedShare = ({ total, counts }: Job) => 1 - (counts.queued + counts.sent + counts.waiting) / total

/** Waits until a condition holds for the job at `path`. @throws if the job ends before */
export async function jobWhere(call: Call, path: string, holds: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    // A server that has just started may answer that its database is not available yet.
    const job = await call<Job>('GET', path).catch(() => undefined)
    if (job && holds(job)) return job
    if (job?.state === 'ended') throw new Error(`The job ended too early: ${JSON.stringify(job)}`)
    await wait(look)
  }
}

/** Returns all tasks of the job at `path`. */
export async function tasksOf(call: Call, path: string, total: number): Promise<Task[]> {
  const tasks: Task[] = []
  for (let offset = 0; offset < total; offset += 1000) {
    const query = `limit=1000&offset=${offset}&sort=bssid`
    tasks.push(...(await call<{ readonly data: Task[] }>('GET', `${path}/tasks?${query}`)).data)
  }
  return tasks
}

/** Jobs of servers in processes of their own. */
import { expect } from 'vitest'
import type { Job, Task } from '../../../../src/api/contract/jobs.ts'
import { until } from '../../../support/until.ts'
import type { ServerProcess } from '../../support/processes/serverProcess.ts'

/** For what may have to wait for the end of a lease on a busy machine. */
export const patient = { timeout: 120_000, interval: 100 }

/** Waits until a job has ended, and returns it with its tasks. */
export async function endOfJob(server: ServerProcess, token: string, id: string): Promise<{ job: Job; tasks: Task[] }> {
  const path = `/api/v3/jobs/${id}`
  const job = await until(async () => {
    const found = await server.call<Job>('GET', path, token)
    expect(found).toMatchObject({ state: 'ended' })
    return found
  }, patient)
  const tasks = await server.call<{ readonly data: Task[] }>('GET', `${path}/tasks?limit=1000`, token)
  return { job, tasks: tasks.data }
}

/** Jobs of the server for tests. */
import type { Job, Task } from '../../../src/api/contract/jobs.ts'
import { openStates, taskStates } from '../../../src/domain/columns/jobs.ts'

type Counts = Partial<Job['counts']>

/** Returns an id in the server's format; a later number is a later job. */
export const jobId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Returns a job of the server that locks devices; by default it runs, and one of three devices is done. */
export function serverJob(values: Partial<Omit<Job, 'counts'>> & { counts?: Counts } = {}): Job {
  const given: Counts = values.counts ?? { done: 1, queued: 2 }
  const counts = Object.fromEntries(taskStates.map(state => [state, given[state] ?? 0])) as Job['counts']
  const total = taskStates.reduce((sum, state) => sum + counts[state], 0)
  const isOpen = openStates.some(state => counts[state] > 0)
  return {
    _id: jobId(1),
    parent: null,
    kind: null,
    login: 'vendor',
    command: 'lock',
    input: { locked: true },
    policy: {},
    state: isOpen ? 'running' : 'ended',
    reason: null,
    total,
    done: counts.done,
    waves: 1,
    begun: 1,
    next_wave_at: null,
    until: null,
    created_at: '2026-11-20T10:00:00.000Z',
    start_at: '2026-11-20T10:00:00.000Z',
    ended_at: isOpen ? null : '2026-11-20T10:01:00.000Z',
    ...values,
    counts,
  }
}

/** Returns a task of a job. */
export const serverTask = (bssid: string, values: Partial<Task> = {}): Task => ({
  _id: jobId(1),
  bssid,
  wave: 1,
  state: 'done',
  reason: null,
  attempts: 1,
  due_at: null,
  acknowledged_at: null,
  sent_at: '2026-11-20T10:00:01.000Z',
  ended_at: '2026-11-20T10:00:02.000Z',
  ...values,
})

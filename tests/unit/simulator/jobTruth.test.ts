/** That the comparison of jobs with the devices' log finds each contradiction: other tests rely on it. */
import { expect, test } from 'vitest'
import type { TaskState } from '../../../src/domain/columns/jobs.ts'
import type { CommandEvent, DeviceEvent } from '../../../simulator/deviceLog.ts'
import { contradictions } from '../../support/jobTruth.ts'

const event = (bssid: string, did: CommandEvent['did'], id = `id of ${bssid}`): DeviceEvent => ({
  at: new Date(0).toISOString(),
  bssid,
  id,
  command: { type: 'flush' },
  did,
})
const task = (bssid: string, state: TaskState) => ({ bssid, state })

const none = {
  queued: 0,
  sent: 0,
  waiting: 0,
  done: 0,
  refused: 0,
  unanswered: 0,
  skipped: 0,
  expired: 0,
  cancelled: 0,
}
const job = {
  state: 'ended',
  total: 5,
  counts: { ...none, done: 1, refused: 1, unanswered: 2, skipped: 1 },
} as const
const tasks = [
  task('a', 'done'),
  task('b', 'refused'),
  task('c', 'unanswered'),
  task('d', 'skipped'),
  task('e', 'unanswered'),
]
const events = [
  { at: new Date(0).toISOString(), bssid: 'd', did: 'connected' } as const,
  event('a', 'executed'),
  event('a', 'repeated'),
  event('b', 'refused'),
  event('c', 'executed'),
  event('e', 'expired'),
]

test('a job that agrees with the log of its devices has no contradictions', () => {
  expect(contradictions(job, tasks, events)).toEqual([])
})

test.each([
  ['The job is running', { ...job, state: 'running' } as const, tasks, events],
  ['The counts add up to 6 of 5', { ...job, counts: { ...job.counts, done: 2 } }, tasks, events],
  [
    'The job counts 2 tasks that are done, and there are 1',
    { ...job, counts: { ...job.counts, done: 2 } },
    tasks,
    events,
  ],
  ['There are 6 tasks of 5 devices', job, [...tasks, task('a', 'done')], events],
  ['c has not ended: sent', job, tasks.with(2, task('c', 'sent')), events],
  ['a did it 2 times', job, tasks, [...events, event('a', 'executed')]],
  ['e got 2 ids', job, tasks, [...events, event('e', 'executed', 'another')]],
  ['d did it and is skipped', job, tasks, [...events, event('d', 'executed')]],
  ['b did it and is refused', job, tasks, [...events, event('b', 'executed')]],
  ['a did not do it and is done', job, tasks, events.filter(({ bssid }) => bssid !== 'a')],
  ['b did not refuse it and is refused', job, tasks, events.filter(({ bssid }) => bssid !== 'b')],
  ['f is not in the job', job, tasks, [...events, event('f', 'expired')]],
])('%s', (sentence, ended, outcomes, log) => {
  expect(contradictions(ended, outcomes, log)).toContain(sentence)
})

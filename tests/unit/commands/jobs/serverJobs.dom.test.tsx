/** What the console says about jobs of the server. */
import { expect, test } from 'vitest'
import { jobCommands } from '../../../../src/api/contract/jobs.ts'
import { settings } from '../../../../src/api/contract/settings.ts'
import { commandOfJob, jobTitle } from '../../../../src/commands/jobs/serverCommands.ts'
import {
  averageTaskRate,
  countsText,
  markOf,
  nextText,
  policyWords,
  untilText,
  wavesText,
} from '../../../../src/commands/jobs/serverJobs.ts'
import { jobId, serverJob } from '../../support/serverJobs.ts'

test.each(Object.keys(jobCommands))('the console has a command for %s, with its arguments', command => {
  const { endpoint } = commandOfJob({ command, input: {} }) ?? {}
  expect(endpoint?.path).toBe(jobCommands[command]!.path)
})

test('the title is that of the command with these values', () => {
  const titleOf = (command: string, input: object) =>
    jobTitle(serverJob({ command, input: { ...input } }), () => undefined)
  expect(titleOf('lock', { locked: true })).toBe('Lock')
  expect(titleOf('lock', { locked: false })).toBe('Unlock')
  expect(titleOf('reset', { scope: 'factory' })).toBe('Factory reset')
  expect(titleOf('set_flush', { mode: 1 })).toBe(settings.flush.title)
  expect(titleOf('make_coffee', {})).toBe('make coffee')
})

test('an undo of an undo is a redo', () => {
  const first = serverJob({ _id: jobId(1) })
  const undo = serverJob({ _id: jobId(2), kind: 'undo', parent: jobId(1) })
  const redo = serverJob({ _id: jobId(3), kind: 'undo', parent: jobId(2) })
  const find = (id: string) => [first, undo, redo].find(({ _id }) => _id === id)
  expect([first, undo, redo].map(job => jobTitle(job, find))).toEqual(['Lock', 'Undo “Lock”', 'Redo “Lock”'])
})

test.each([
  [{ done: 3 }, 'Done'],
  [{ done: 2, refused: 1 }, 'Partly done'],
  [{ skipped: 2, unanswered: 1 }, 'Failed'],
  [{ done: 1, cancelled: 2 }, 'Cancelled'],
])('an ended job with %o is %s', (counts, label) => {
  expect(markOf(serverJob({ counts }), false).label).toBe(label)
  expect(markOf(serverJob({ counts }), true).label).toBe('Undone')
})

test('counts name what has ended first', () => {
  expect(countsText(serverJob({ counts: { queued: 1200, sent: 3, done: 9, refused: 2 } }))).toBe(
    '9 done · 2 refused · 1,200 queued · 3 sent',
  )
})

test('a policy is said in words, and one without any part is not', () => {
  expect(policyWords({})).toEqual([])
  expect(policyWords({ offline: 'skip', retries: 0, stop: { failed: '100%', after: 1 } })).toEqual([])
  expect(
    policyWords({
      waves: [{ size: '1%' }, { size: 1500 }],
      rate: 1,
      stop: { failed: '5%', after: 20 },
      offline: 168,
      retries: 2,
      window: { days: [5, 1, 2, 3, 7], from: '22:00', to: '05:00' },
    }),
  ).toEqual([
    'waves of 1%, 1,500, then the rest',
    'at most 1 device a minute',
    'stops if more than 5% of at least 20 fail',
    'waits 7 days for offline devices',
    'tries unanswered ones 2 more times',
    'Mon–Wed, Fri, Sun 22:00–05:00 in the device’s time zone',
  ])
  expect(policyWords({ offline: 30, window: { days: [1, 2, 3, 4, 5, 6, 7], from: '02:00', to: '03:00' } })).toEqual([
    'waits 30 hours for offline devices',
    '02:00–03:00 in the device’s time zone',
  ])
})

const now = Date.parse('2026-11-20T10:00:30.000Z')

test('what a job does next is said', () => {
  const next = (values: Parameters<typeof serverJob>[0], rate?: number) => nextText(serverJob(values), rate, now)
  expect(next({ state: 'scheduled', start_at: '2026-11-21T02:00:00.000Z' })).toMatch(/^starts Nov 21, 2026/)
  const start = { rrule: 'FREQ=DAILY', from: '2026-11-20T02:00', time_zone: 'Europe/Berlin' }
  expect(next({ state: 'scheduled', policy: { start } })).toMatch(/^next time Nov 20, 2026/)
  expect(next({ state: 'paused' })).toBe('Paused by a person')
  expect(next({ state: 'paused', reason: 'More than 5% failed' })).toBe('More than 5% failed')
  expect(next({ counts: { queued: 40 } }, 2)).toBe('about 20 s left')
  expect(next({ counts: { queued: 40 } })).toBe('running for 30 s')
  expect(next({ counts: { done: 1, waiting: 2 } }, 2)).toBe('waits for 2 offline devices')
  expect(next({ waves: 3, begun: 1, next_wave_at: '2026-11-20T12:00:00.000Z' }, 2)).toMatch(/^next wave Nov 20, 2026/)
  // A later wave makes the end unknown.
  expect(next({ waves: 3, begun: 1, counts: { queued: 40 } }, 2)).toBe('running for 30 s')
  const window = { days: [1], from: '02:00', to: '05:00' }
  expect(next({ counts: { queued: 40 }, policy: { window } }, 2)).toBe('waits for its window')
  expect(next({ state: 'running', counts: { done: 1 }, until: '2026-12-01T00:00:00.000Z' })).toBe(
    'waits for devices that match',
  )
  expect(untilText(serverJob({ until: '2026-12-01T00:00:00.000Z' }))).toMatch(/^new matches until (Nov 30|Dec 1), 2026/)
  expect(untilText(serverJob())).toBeUndefined()
  expect(next({ counts: { done: 1 } })).toBeUndefined()
})

test('waves are named if there are several, and the rate of an ended job counts answers', () => {
  expect(wavesText(serverJob())).toBeUndefined()
  expect(wavesText(serverJob({ waves: 5, begun: 2 }))).toBe('wave 2 of 5')
  expect(averageTaskRate(serverJob({ counts: { done: 50, refused: 10, skipped: 40 } }))).toBe(1)
  expect(averageTaskRate(serverJob())).toBeUndefined()
})

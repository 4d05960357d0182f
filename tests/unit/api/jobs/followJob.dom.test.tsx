/** Following a job of the server until it has ended or waits. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Job } from '../../../../src/api/contract/jobs.ts'
import { followJob } from '../../../../src/api/jobs/jobs.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { serverJob } from '../../support/serverJobs.ts'

type Answer = Job | number | 'unreachable'
/** The answers to the next reads of the job; the last one is repeated. A number is the status of an error. */
let answers: Answer[]
let cancelled: number
let cancelStatus: number

beforeEach(() => {
  vi.useFakeTimers()
  cancelled = 0
  cancelStatus = 200
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', (path: string) => {
    const isCancel = path.endsWith('/cancel')
    if (isCancel) cancelled++
    const answer = isCancel ? cancelStatus : answers.length > 1 ? answers.shift()! : answers[0]!
    if (answer === 'unreachable') return Promise.reject(new TypeError('Failed to fetch'))
    if (typeof answer === 'object') return Promise.resolve(new Response(JSON.stringify({ data: answer })))
    return Promise.resolve(new Response(JSON.stringify({ data: {}, message: 'No' }), { status: answer }))
  })
})
afterEach(() => {
  clearSession()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const running = serverJob({ counts: { done: 1, queued: 1, sent: 1 } })
const ended = serverJob({ counts: { done: 3 } })

/** Follows a job while the clock advances. */
async function follow(signal = new AbortController().signal) {
  const reports: number[] = []
  const result = followJob('1', { signal, report: job => reports.push(job.counts.done) }).catch(
    (error: unknown) => error,
  )
  await vi.advanceTimersByTimeAsync(60_000)
  return { job: (await result) as Job, reports }
}

test('reports its counts until it has ended', async () => {
  answers = [running, running, ended]
  expect(await follow()).toEqual({ job: ended, reports: [1, 1, 3] })
})

test('goes on when the server could not be reached or was busy, as the job does', async () => {
  answers = [running, 'unreachable', 503, 429, ended]
  expect(await follow()).toEqual({ job: ended, reports: [1, 3] })
})

test('rejects if the server refuses', async () => {
  answers = [running, 404]
  expect((await follow()).job).toMatchObject({ status: 404 })
})

test.for([
  ['is scheduled', serverJob({ state: 'scheduled', counts: { queued: 3 } })],
  ['is paused', serverJob({ state: 'paused', counts: { queued: 2, sent: 1 } })],
  ['waits for its next wave', serverJob({ counts: { done: 1, queued: 2 }, next_wave_at: '2026-11-20T12:00:00.000Z' })],
  ['waits for its devices', serverJob({ counts: { done: 1, waiting: 2 } })],
  ['has not changed for ten seconds', serverJob({ counts: { done: 1, queued: 2 } })],
] as const)('ends while the job %s', async ([, job]) => {
  answers = [running, job]
  expect((await follow()).job).toEqual(job)
})

test.for([200, 409])('cancels once, and waits for what was sent; the cancellation has status %i', async status => {
  cancelStatus = status
  const cancelling = serverJob({ state: 'cancelling', counts: { done: 1, sent: 1, cancelled: 1 } })
  const last = serverJob({ counts: { done: 2, cancelled: 1 } })
  answers = [running, cancelling, cancelling, last]
  const cancel = new AbortController()
  setTimeout(() => cancel.abort(), 50)
  expect((await follow(cancel.signal)).job).toEqual(last)
  expect(cancelled).toBe(1)
})

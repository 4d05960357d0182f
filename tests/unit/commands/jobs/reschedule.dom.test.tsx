/** A move of a scheduled job is undone and redone like the latest run. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JobStart } from '../../../../src/api/contract/jobPolicy.ts'
import type { Job as ServerJob } from '../../../../src/api/contract/jobs.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { beginJob, endJob } from '../../../../src/commands/core/runs/jobRuns.ts'
import { forgetJobs } from '../../../../src/commands/core/runs/jobs.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { rescheduleJob } from '../../../../src/commands/jobs/rescheduleCommand.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { serverJob } from '../../support/serverJobs.ts'

let start: JobStart
/** The job as the server has it: its start is moved by the calls of the test. */
const stored = (): ServerJob => ({
  ...serverJob({ state: 'scheduled' }),
  policy: { start },
  start_at: typeof start === 'string' ? start : start.from,
})
const services = {
  call: (_: unknown, { body }: { body?: { start: JobStart } }) => {
    if (!body) return Promise.resolve(stored())
    start = body.start
    return Promise.resolve({})
  },
} as unknown as Services
const run = (id: 'run.undo' | 'run.redo') => commandOf(id).prepare(currentContext(), {}).run(services)
const label = (id: 'run.undo' | 'run.redo') => commandOf(id).label(currentContext())
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ data: { count: 0, data: [] } }))))
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  forgetJobs()
  clearSession()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('it goes back to its time, and there again', async () => {
  const [from, to] = [later(24), later(48)]
  start = from
  await rescheduleJob(stored(), to, services)
  expect(start).toBe(to)
  expect(label('run.undo')).toMatch(/^Undo move of “/)
  expect(await run('run.undo')).toMatch(/starts/)
  expect(start).toBe(from)
  expect(label('run.redo')).toMatch(/^Redo move of “/)
  await run('run.redo')
  expect(start).toBe(to)
  await run('run.undo')
  expect(start).toBe(from)
})

test('a rule counts from where it did before', async () => {
  const rule = { rrule: 'FREQ=DAILY', from: later(24), time_zone: 'UTC' }
  start = rule
  await rescheduleJob(stored(), later(30), services)
  expect(start).not.toEqual(rule)
  await run('run.undo')
  expect(start).toEqual(rule)
})

test('a time that has passed meanwhile is refused', async () => {
  const [from, to] = [later(1), later(48)]
  start = from
  await rescheduleJob(stored(), to, services)
  vi.advanceTimersByTime(2 * 3_600_000)
  await expect(run('run.undo')).rejects.toThrow(/has passed/)
  expect(start).toBe(to)
})

test('a command that ran since is the one that is undone', async () => {
  start = later(24)
  await rescheduleJob(stored(), later(48), services)
  vi.advanceTimersByTime(1000)
  const vendor = { id: 'v', name: 'V', row: {} }
  const given = { command: 'vendors.block', title: 'Block', entity: 'vendors', targets: [vendor], input: {} } as const
  const inverse = commandOf('vendors.block').undo
  const job = beginJob({ ...given, skipped: [], again: undefined, inverse })
  endJob(job, { outcome: { done: ['v'], failed: [] }, before: [{ ids: ['v'], values: { status: false } }] })
  expect(label('run.undo')).toBe('Undo “Block” of 1 vendor')
  vi.advanceTimersByTime(1000)
  await rescheduleJob(stored(), later(72), services)
  expect(label('run.undo')).toMatch(/^Undo move of “/)
})

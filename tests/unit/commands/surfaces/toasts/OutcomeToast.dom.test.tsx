/** What the message of a run offers is about that run, whatever ran before or since. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import toast from 'react-hot-toast/headless'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../../../src/commands/core/commandId.ts'
import type { PreviousValues } from '../../../../../src/api/contract/endpoint.ts'
import { clearLastRun, recordLastRun } from '../../../../../src/commands/core/runs/lastRun.ts'
import { beginJob, endJob } from '../../../../../src/commands/core/runs/jobRuns.ts'
import { jobs, type Job } from '../../../../../src/commands/core/runs/jobs.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import { host } from '../../../../../src/commands/surfaces/host/host.ts'
import { showOutcome } from '../../../../../src/commands/surfaces/toasts/OutcomeToast.tsx'
import { setHost } from '../../../../../src/commands/surfaces/run/run.ts'
import { overlay } from '../../../../../src/store/overlays.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { Toaster } from '../../../../../src/ui/Toaster.tsx'

const device = (id: string) => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })

interface Ran {
  readonly as?: string
  readonly before?: readonly PreviousValues[]
}
/** A run of a command on one device, which is over; `as` is the command made for it, where there was one. */
function ran(command: CommandId, { as = command, before = [] }: Ran): Job {
  const job = beginJob({
    command: as,
    title: commandOf(command).title,
    entity: 'devices',
    targets: [device('a')],
    input: {},
    skipped: [],
    again: undefined,
    inverse: commandOf(command).undo,
  })
  endJob(job, { outcome: { done: ['a'], failed: [] }, before })
  return job
}
const lockedBefore = [{ ids: ['a'], values: { locked: false } }]

beforeEach(() => {
  setHost(host)
  jobs.list = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  vi.useRealTimers()
  act(() => toast.remove())
  cleanup()
  jobs.list = []
  clearLastRun()
  overlay.failures = undefined
  clearSession()
})

/** The button with that name, by the command it gives. */
const given = (name: RegExp) => screen.getByRole('button', { name }).dataset['command']

test('the message of a run undoes that run; its key is shown where it would too', async () => {
  render(<Toaster />)
  const uv = ran('device.uv', { before: [{ ids: ['a'], values: { mode: 1 } }] })
  act(() => showOutcome({ id: 'uv', message: 'UV set', outcome: undefined, job: uv.id }))
  expect(given(/^Undo/)).toBe('run.undo')
  await act(async () => {
    ran('device.lock', { before: lockedBefore })
    await Promise.resolve()
  })
  expect(given(/^Undo/)).toBe('run.undoJob')
})

test('the message of an undoing does it again, and never undoes what ran before', async () => {
  render(<Toaster />)
  ran('device.uv', { before: [{ ids: ['a'], values: { mode: 1 } }] })
  const lock = ran('device.lock', { before: lockedBefore })
  lock.undone = true
  const undoing = ran('device.lock', { as: 'run.undo', before: [{ ids: ['a'], values: { locked: true } }] })
  act(() => showOutcome({ id: 'undone', message: 'Undid “Lock”', outcome: undefined, job: undoing.id }))
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
  expect(given(/^Redo/)).toBe('run.redo')
  await act(async () => {
    ran('device.lock', { before: lockedBefore })
    await Promise.resolve()
  })
  expect(given(/^Redo/)).toBe('run.undoJob')
})

test('retry and what failed are of the run that the message tells of, whatever has run since', async () => {
  render(<Toaster />)
  const again = vi.fn<(targets: unknown) => Promise<void>>(() => Promise.resolve())
  const job = beginJob({
    command: 'device.flush',
    title: 'Flush',
    entity: 'devices',
    targets: ['a', 'b', 'c'].map(device),
    input: {},
    skipped: [{ id: 'c', message: 'Offline' }],
    again,
    inverse: undefined,
  })
  const failed = [
    { id: 'b', message: 'Timed out' },
    { id: 'c', message: 'Offline' },
  ]
  const outcome = { done: ['a'], failed }
  endJob(job, { outcome, message: 'Flushed 1 of 3 devices' })
  const last = {
    id: 'device.flush',
    title: 'Flush',
    input: {},
    again,
    repeatable: true,
    failed: [],
    failureReport: undefined,
  }
  recordLastRun({ ...last, job: job.id })
  act(() => showOutcome({ id: 'one', message: 'Flushed', outcome, job: job.id }))
  expect(given(/^Retry/)).toBe('run.retry')

  await act(async () => {
    const lock = ran('device.lock', { before: lockedBefore })
    recordLastRun({ ...last, id: 'device.lock', title: 'Lock', job: lock.id })
    await Promise.resolve()
  })
  expect(given(/^View failures/)).toBe('run.failuresJob')
  fireEvent.click(screen.getByRole('button', { name: /^View failures/ }))
  await vi.waitUntil(() => overlay.failures)
  expect(overlay.failures).toMatchObject({
    title: 'Flushed 1 of 3 devices',
    job: job.id,
    failed: failed.map(one => ({ ...one, name: one.id })),
  })
  act(() => showOutcome({ id: 'one', message: 'Flushed', outcome, job: job.id }))
  fireEvent.click(screen.getByRole('button', { name: /^Retry 2/ }))
  await vi.waitUntil(() => again.mock.calls.length > 0)
  expect(again).toHaveBeenCalledWith(['b', 'c'].map(device))
})

test('of a run that was no job nothing is offered once something else has run', async () => {
  render(<Toaster />)
  const again = vi.fn<(targets: unknown) => Promise<void>>(() => Promise.resolve())
  const failed = [{ ...device('b'), message: 'Taken' }]
  const run = { title: 'Create', input: {}, again, repeatable: true, failed, failureReport: undefined }
  recordLastRun({ ...run, id: 'vendors.create', job: 'run 1' })
  const outcome = { done: ['a'], failed }
  act(() => showOutcome({ id: 'one', message: 'Created 1 of 2', outcome, job: 'run 1' }))
  expect(given(/^Retry/)).toBe('run.retry')
  expect(given(/^View failures/)).toBe('run.failures')
  await act(async () => {
    recordLastRun({ ...run, id: 'device.lock', job: 'run 2' })
    await Promise.resolve()
  })
  expect(screen.queryByRole('button', { name: /^Retry|^View failures/ })).toBeNull()
  // Nor of one that is not known at all.
  act(() => showOutcome({ id: 'one', message: 'Created 1 of 2', outcome, job: undefined }))
  expect(screen.queryByRole('button', { name: /^Retry|^View failures/ })).toBeNull()
})

test('the same reason or error again renews what says it, so that it is heard again', () => {
  vi.useFakeTimers()
  render(<Toaster />)
  const say = () =>
    act(() => {
      host.blocked('There are no jobs')
      host.failed(new Error('The server does not answer'))
      vi.advanceTimersByTime(300)
    })
  say()
  const said = ['There are no jobs', 'The server does not answer'].map(words => screen.getByText(words))
  say()
  for (const before of said) {
    expect(screen.getByText(before.textContent)).not.toBe(before)
    expect(before.isConnected).toBe(false)
  }
})

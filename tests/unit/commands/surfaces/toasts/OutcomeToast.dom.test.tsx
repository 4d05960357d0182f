/** The buttons of an outcome toast act on its own run, whatever ran before or since. */
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import toast from 'react-hot-toast/headless'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../../../src/commands/core/commandId.ts'
import type { PreviousValues } from '../../../../../src/api/contract/endpoint.ts'
import { clearLastRun, recordLastRun } from '../../../../../src/commands/core/runs/lastRun.ts'
import { beginJob, endJob } from '../../../../../src/commands/core/runs/jobRuns.ts'
import { jobs, type Job } from '../../../../../src/commands/core/runs/jobs.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import { executor, host } from '../../../../../src/commands/surfaces/host/host.ts'
import { showOutcome } from '../../../../../src/commands/surfaces/toasts/OutcomeToast.tsx'
import { setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'
import { overlay } from '../../../../../src/store/overlays.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { Toaster } from '../../../../../src/ui/Toaster.tsx'

const device = (id: string) => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })

interface RunOptions {
  readonly as?: string
  readonly before?: readonly PreviousValues[]
}
/** Returns an ended run of a command on one device; `as` is the id of a command made for it, such as an undo. */
function endedRun(command: CommandId, { as = command, before = [] }: RunOptions): Job {
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
  setExecutor(executor)
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

/** The command id of the button with this name. */
const commandOfButton = (name: RegExp) => screen.getByRole('button', { name }).dataset['command']

test('Undo in a toast undoes its run, by the undo command only if that is the latest run', async () => {
  render(<Toaster />)
  const uv = endedRun('device.uv', { before: [{ ids: ['a'], values: { mode: 1 } }] })
  act(() => showOutcome({ id: 'uv', message: 'UV set', outcome: undefined, job: uv.id }))
  expect(commandOfButton(/^Undo/)).toBe('run.undo')
  await act(async () => {
    endedRun('device.lock', { before: lockedBefore })
    await Promise.resolve()
  })
  // The context is announced in the frame after its change.
  await waitFor(() => expect(commandOfButton(/^Undo/)).toBe('run.undoJob'))
})

test('the toast of an undo offers Redo, and not Undo of an earlier run', async () => {
  render(<Toaster />)
  endedRun('device.uv', { before: [{ ids: ['a'], values: { mode: 1 } }] })
  const lock = endedRun('device.lock', { before: lockedBefore })
  lock.undone = true
  const undoing = endedRun('device.lock', { as: 'run.undo', before: [{ ids: ['a'], values: { locked: true } }] })
  act(() => showOutcome({ id: 'undone', message: 'Undid “Lock”', outcome: undefined, job: undoing.id }))
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
  expect(commandOfButton(/^Redo/)).toBe('run.redo')
  await act(async () => {
    endedRun('device.lock', { before: lockedBefore })
    await Promise.resolve()
  })
  await waitFor(() => expect(commandOfButton(/^Redo/)).toBe('run.undoJob'))
})

test('Retry and View failures belong to the run of the toast, whatever has run since', async () => {
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
    again,
    repeatable: true,
    failed: [],
    failureReport: undefined,
  }
  recordLastRun({ ...last, job: job.id })
  act(() => showOutcome({ id: 'one', message: 'Flushed', outcome, job: job.id }))
  expect(commandOfButton(/^Retry/)).toBe('run.retry')

  await act(async () => {
    const lock = endedRun('device.lock', { before: lockedBefore })
    recordLastRun({ ...last, id: 'device.lock', title: 'Lock', job: lock.id })
    await Promise.resolve()
  })
  await waitFor(() => expect(commandOfButton(/^View failures/)).toBe('run.failuresJob'))
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

test('the toast of a run without a job has no buttons after another run', async () => {
  render(<Toaster />)
  const again = vi.fn<(targets: unknown) => Promise<void>>(() => Promise.resolve())
  const failed = [{ ...device('b'), message: 'Taken' }]
  const run = { title: 'Create', again, repeatable: true, failed, failureReport: undefined }
  recordLastRun({ ...run, id: 'vendors.create', job: 'run 1' })
  const outcome = { done: ['a'], failed }
  act(() => showOutcome({ id: 'one', message: 'Created 1 of 2', outcome, job: 'run 1' }))
  expect(commandOfButton(/^Retry/)).toBe('run.retry')
  expect(commandOfButton(/^View failures/)).toBe('run.failures')
  await act(async () => {
    recordLastRun({ ...run, id: 'device.lock', job: 'run 2' })
    await Promise.resolve()
  })
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Retry|^View failures/ })).toBeNull())
  // An unknown run has no buttons either.
  act(() => showOutcome({ id: 'one', message: 'Created 1 of 2', outcome, job: undefined }))
  expect(screen.queryByRole('button', { name: /^Retry|^View failures/ })).toBeNull()
})

test('a repeated reason or error renders a new toast, so that screen readers announce it again', () => {
  vi.useFakeTimers()
  render(<Toaster />)
  const report = () =>
    act(() => {
      host.blocked('There are no jobs')
      host.failed(new Error('The server does not answer'))
      vi.advanceTimersByTime(300)
    })
  report()
  const messages = ['There are no jobs', 'The server does not answer'].map(words => screen.getByText(words))
  report()
  for (const before of messages) {
    expect(screen.getByText(before.textContent)).not.toBe(before)
    expect(before.isConnected).toBe(false)
  }
})

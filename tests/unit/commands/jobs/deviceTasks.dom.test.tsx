/** The tasks of the device on screen. */
import { unstable_serialize } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache, clearCache } from '../../../../src/api/cache.ts'
import { jobs as contract, type DeviceTask } from '../../../../src/api/contract/jobs.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { jobs } from '../../../../src/commands/core/runs/jobs.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { jobId, serverTask } from '../../support/serverJobs.ts'

const bssid = '30:AE:A4:00:63:73'
const task = (number: number, values: Partial<DeviceTask>): DeviceTask => ({
  ...serverTask(bssid),
  _id: jobId(number),
  command: 'lock',
  input: { locked: true },
  kind: null,
  login: 'vendor',
  created_at: '2026-11-20T10:00:00.000Z',
  ...values,
})

const show = (tasks: readonly DeviceTask[]) =>
  cache.set(unstable_serialize([contract.list.path, { device: bssid }]), { data: tasks })

beforeEach(() => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  history.replaceState(null, '', `/devices/${bssid}`)
})
afterEach(() => {
  clearCache()
  clearSession()
  jobs.view.job = undefined
  history.replaceState(null, '', '/')
})

const signal = new AbortController().signal
const offered = async (id: 'device.cancelTask' | 'device.showJob') => {
  const [field] = commandOf(id).fields
  return ((await field!.choices?.(currentContext(), '', signal)) ?? []).map(({ value, name }) => [value, name])
}

test('only what is not sent can be cancelled', async () => {
  const { availability } = commandOf('device.cancelTask')
  expect(availability(currentContext())).toEqual({ is: 'blocked', reason: 'No task of the device is waiting' })
  show([
    task(4, { state: 'sent' }),
    task(3, { state: 'waiting', kind: 'undo' }),
    task(2, { state: 'queued', command: 'flush', input: {} }),
    task(1, { state: 'done' }),
  ])
  expect(availability(currentContext())).toEqual({ is: 'ready' })
  expect(await offered('device.cancelTask')).toEqual([
    [jobId(3), 'Undo “Lock”'],
    [jobId(2), 'Flush'],
  ])
  expect(await offered('device.showJob')).toHaveLength(4)
})

test('a waiting task is cancelled for this device, and a job is shown on its screen', async () => {
  show([task(3, { state: 'waiting' })])
  const services = {
    call: vi.fn<() => Promise<object>>(() => Promise.resolve({})),
    go: vi.fn<(path: string) => void>(),
  }
  const runs = (id: 'device.cancelTask' | 'device.showJob') =>
    commandOf(id)
      .prepare(currentContext(), { job: jobId(3) })
      .run(services as unknown as Services)
  expect(await runs('device.cancelTask')).toBe(`Cancelled “Lock” for ${bssid}`)
  expect(services.call).toHaveBeenCalledWith(contract.cancelTask, { params: { id: jobId(3), bssid } })
  await runs('device.showJob')
  expect(services.go).toHaveBeenCalledWith(`/jobs?job=${jobId(3)}`)
  expect(jobs.view.job).toBe(jobId(3))
})

test('the task of an administrator’s job is neither opened nor cancelled', async () => {
  show([task(1, { state: 'waiting', login: null })])
  for (const id of ['device.showJob', 'device.cancelTask'] as const) {
    expect(commandOf(id).availability(currentContext()).is).toBe('blocked')
    expect(await offered(id)).toEqual([])
  }
})

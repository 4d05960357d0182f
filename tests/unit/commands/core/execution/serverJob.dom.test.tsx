/** What is sent to create a job, and how a job is retried. */
import { afterEach, expect, test, vi } from 'vitest'
import { vendors } from '../../../../../src/api/contract/accounts.ts'
import * as api from '../../../../../src/api/jobs/jobs.ts'
import { withTargets, currentContext } from '../../../../../src/commands/core/context.ts'
import { dryRun } from '../../../../../src/commands/core/execution/dryRun.ts'
import { bulkOperation } from '../../../../../src/commands/core/execution/operation.ts'
import { retryCommand } from '../../../../../src/commands/core/execution/retryJob.ts'
import { onSearch, startingPolicy, typedPolicyProblem } from '../../../../../src/commands/core/execution/serverJob.ts'
import { settle } from '../../../../../src/commands/core/execution/settle.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import { beginJob } from '../../../../../src/commands/core/runs/jobRuns.ts'
import { jobs } from '../../../../../src/commands/core/runs/jobs.ts'
import { clearLastRun, lastRun } from '../../../../../src/commands/core/runs/lastRun.ts'
import type { ChosenPolicy } from '../../../../../src/api/jobs/jobs.ts'
import type { Call, Command } from '../../../../../src/commands/core/types.ts'
import type { DeviceItem } from '../../../../../src/store/selection.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const devices = ['a', 'b'].map(device)
const all = { search: '', column: undefined, operator: 'co' }
const prepare = (command: Command, input: unknown = {}): Call =>
  command.prepare(withTargets(currentContext(), 'devices', devices), input)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  jobs.list = []
  clearLastRun()
})

test('a job on a search sends it in base units, and no ids', async () => {
  const create = vi.spyOn(api, 'createJob').mockResolvedValue('1')
  const search = { search: '59 °F', column: 'temperature', operator: 'gt' }
  const { operation } = onSearch(prepare(commandOf('device.lock')), devices, search)
  await (operation!.send === undefined ? operation!.job!.create(['a', 'b'], { rate: 5 }) : undefined)
  expect(create.mock.lastCall?.[0]).toMatchObject({ command: 'lock', input: { locked: true }, policy: { rate: 5 } })
  const sent = create.mock.lastCall![0].devices
  expect(sent).toMatchObject({ search: { column: 'temperature', operator: 'gt' } })
  expect('search' in sent && sent.search.search).toMatch(/^14\.\d+\.\.15/)
  expect(sent).not.toHaveProperty('ids')
})

test('a command that is no job of the server keeps its ids', () => {
  const call = { ...prepare(commandOf('device.delete')), operation: bulkOperation(vendors.delete, {}) }
  expect(onSearch(call, devices, all)).toBe(call)
})

test('more devices than a job takes are refused with what to do instead, and none is commanded', async () => {
  const send = vi.fn<() => never>()
  const many = Array.from({ length: 100_001 }, (_, at) => `${at}`)
  const { operation } = prepare(commandOf('device.lock'))
  const how = { call: send, signal: new AbortController().signal }
  const refusal = /^A job takes at most 100,000 devices by their ids, and 100,001 are selected\. Select fewer/
  await expect(startingPolicy(operation!, many.length)).rejects.toThrow(refusal)
  expect(() => dryRun(operation!, many, how)).toThrow(refusal)
  expect(send).not.toHaveBeenCalled()
  // A search may find more, and other rows are changed by calls.
  expect(await startingPolicy(onSearch(prepare(commandOf('device.lock')), [], all).operation!, many.length)).toEqual({})
  expect(await startingPolicy(bulkOperation(vendors.delete, {}), many.length)).toBeUndefined()
})

test('a retry asks as its command does, and says what it retries', () => {
  const retry = (id: 'device.lock' | 'device.reboot', count: number) =>
    prepare(retryCommand(commandOf(id), '1', devices.slice(0, count), { text: 'As before.' })).question
  expect(retry('device.lock', 2)).toMatchObject({ title: 'Retry “Lock”: 2 devices', text: 'As before.', danger: false })
  // One device that can be unlocked again does not need a question.
  expect(retry('device.lock', 1)).toBeUndefined()
  expect(retry('device.reboot', 1)).toMatchObject({ title: 'Retry “Reboot”: a', danger: true })
})

test('a retry starts from the policy of its job, which can be changed, but not to a repeated one', async () => {
  const waves = [{ size: '1%' }]
  const calls: { path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    calls.push({ path, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    const job = { _id: '1', policy: { waves, start: '2026-01-01T00:00:00.000Z' } }
    return new Response(JSON.stringify({ data: job }))
  })
  const retry = retryCommand(commandOf('device.lock'), '1', devices)
  const operation = prepare(retry).operation!
  expect(await startingPolicy(operation, 2)).toEqual({ waves })
  expect(await startingPolicy(operation, 2, { rate: 5 })).toEqual({ waves, rate: 5 })
  const job = operation.send === undefined ? operation.job : undefined
  await job?.create([], { rate: 5 })
  // Without a preview nothing was chosen, and the server keeps the policy.
  await job?.create([], undefined)
  expect(calls.slice(2).map(({ body }) => body)).toEqual([{ reason: null, policy: { rate: 5 } }, { reason: null }])
  const start = { rrule: 'FREQ=DAILY', from: '2026-01-01T00:00:00.000Z', time_zone: 'UTC' }
  expect(typedPolicyProblem(retry, { start }, { isSearch: false, isRetry: true })).toBe('A retry cannot be repeated')
  expect(typedPolicyProblem(retry, { start }, { isSearch: false })).toBeUndefined()
})

test('a typed start that has passed is refused, except within the minute in which it is typed', () => {
  const now = Date.parse('2026-11-25T11:00:30Z')
  const problemOf = (start: NonNullable<ChosenPolicy['start']>) =>
    typedPolicyProblem(commandOf('device.reboot'), { start }, { isSearch: false }, now)
  expect(problemOf('2026-11-25T08:00:00.000Z')).toBe('The start has passed')
  expect(problemOf('2026-11-25T11:00:00.000Z')).toBeUndefined()
  expect(problemOf('2026-11-25T22:00:00.000Z')).toBeUndefined()
  // A repetition counts from its start.
  const from = '2026-01-01T00:00:00.000Z'
  expect(problemOf({ rrule: 'FREQ=DAILY', from, time_zone: 'UTC' })).toBeUndefined()
})

test('what failed is retried through its job; a repetition after that runs the command itself', async () => {
  const lock = commandOf('device.lock')
  const ran: { targets: number | undefined; command: Command }[] = []
  const run = (command: Command, remote: string) => {
    const job = beginJob({
      command: command.id,
      title: command.title,
      entity: 'devices',
      targets: devices,
      input: {},
      skipped: [],
      again: undefined,
      inverse: undefined,
    })
    job.remote = remote
    settle({
      command,
      targets: devices,
      outcome: { done: ['a'], failed: [{ id: 'b', message: 'Refused' }] },
      message: 'Locked 1 of 2 devices',
      keepsSelection: true,
      job: job.id,
      again: (targets, instead) => Promise.resolve(ran.push({ targets: targets?.length, command: instead })),
    })
  }
  const create = vi.spyOn(api, 'createRetry').mockResolvedValue('2')
  const createdBy = async (command: Command) => {
    const { operation } = prepare(command)
    if (operation?.send === undefined) await operation?.job?.create([], {})
    return create.mock.lastCall
  }
  run(lock, 'first')
  await lastRun()!.again(lastRun()!.failed)
  expect(ran[0]!.targets).toBe(1)
  expect(await createdBy(ran[0]!.command)).toEqual([{ id: 'first', reason: null, policy: {} }])
  run(ran[0]!.command, 'second')
  await lastRun()!.again(lastRun()!.failed)
  expect(await createdBy(ran[1]!.command)).toEqual([{ id: 'second', reason: null, policy: {} }])
  await lastRun()!.again()
  expect(ran[2]).toEqual({ targets: undefined, command: lock })
})

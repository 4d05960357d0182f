/** Commands on all that match a search: what is read before the preview, and what is selected after the run. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Job, JobPreview } from '../../../../../src/api/contract/jobs.ts'
import type { CommandId } from '../../../../../src/commands/core/commandId.ts'
import { execute } from '../../../../../src/commands/core/execution/execute.ts'
import type { Host, Preview } from '../../../../../src/commands/core/execution/host.ts'
import { restorableSelection } from '../../../../../src/commands/core/runs/earlierSelection.ts'
import { forgetJobs, jobs } from '../../../../../src/commands/core/runs/jobs.ts'
import { lastRun } from '../../../../../src/commands/core/runs/lastRun.ts'
import { pendingSelectionChange } from '../../../../../src/commands/core/runs/selectionChanges.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import type { Command, ExecutionResult, Services } from '../../../../../src/commands/core/types.ts'
import { host } from '../../../../../src/commands/surfaces/host/host.ts'
import { previewRows } from '../../../../../src/commands/jobs/previewRows.ts'
import { retry } from '../../../../../src/commands/jobs/serverActions.ts'
import { taskStates } from '../../../../../src/domain/columns/jobs.ts'
import { clearSelections, selections, type AnyItem } from '../../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { bssidOf, fleetDevice, serveFleet, type FleetDevice } from '../../../support/fleet.ts'

const id = '00000000-0000-4000-8000-000000000001'
const all = { search: '', column: undefined, operator: 'co' } as const
const offline = 'Device is offline'
const size = 1203
const refused = bssidOf(7)
const selection = selections.devices

let fleet: FleetDevice[]
let rowRequests: ReturnType<typeof serveFleet>
let calls: { path: string; body: unknown }[]
let previews: Preview[]
let titles: (string | undefined)[]
let answers: boolean[]
let messages: string[]
/** Until it has resolved, no tasks are answered. */
let mayReadTasks: Promise<void>

const counts = (some: object) => ({ ...Object.fromEntries(taskStates.map(state => [state, 0])), ...some })
const preview: JobPreview = {
  total: size,
  count: size - 1,
  waiting: 0,
  reasons: [{ reason: offline, count: 1, devices: [refused] }],
  waves: [],
}
const job = {
  _id: id,
  command: 'lock',
  input: {},
  policy: {},
  state: 'ended',
  total: size,
  counts: counts({ done: size - 1, skipped: 1 }),
  until: null,
  next_wave_at: null,
}
const taskOf = (bssid: string) => ({
  _id: bssid,
  bssid,
  state: bssid === refused ? 'skipped' : 'done',
  reason: bssid === refused ? offline : null,
  acknowledged_at: null,
})

/** Answers the calls about jobs. */
function answer(path: string, body: unknown): unknown {
  const url = new URL(path, 'http://localhost')
  // What an earlier file has begun to load asks for the page itself.
  if (url.pathname.startsWith('/api/')) calls.push({ path: url.pathname, body })
  if (url.pathname === '/api/v3/jobs') return url.searchParams.has('preview') ? preview : { _id: id }
  if (url.pathname === `/api/v3/jobs/${id}`) return job
  if (url.pathname === `/api/v3/jobs/${id}/retry`) return url.searchParams.has('preview') ? preview : { _id: id }
  if (url.pathname === `/api/v3/jobs/${id}/reasons`)
    return [
      { reason: 'Busy', count: size },
      { reason: offline, count: 1 },
    ]
  if (!url.pathname.endsWith('/tasks')) return { failed: [] }
  const tasks = fleet.map(({ bssid }) => taskOf(bssid))
  const shown = url.searchParams.get('operator') === 'ne' ? tasks.filter(({ state }) => state !== 'done') : tasks
  const offset = Number(url.searchParams.get('offset') ?? 0)
  return { count: shown.length, data: shown.slice(offset, offset + 1000) }
}

const testHost: Host = {
  ...host,
  async preview(given) {
    previews.push(given)
    const plan = await given.check({ signal: new AbortController().signal, report: () => undefined }, given.policy)
    titles.push(given.question(plan)?.title)
    return answers.shift() ? plan : undefined
  },
  finished: (_command, message) => messages.push(message),
  failed(error) {
    throw error
  },
}
const runOnAll = async (command: CommandId, count: number, input?: unknown) => {
  selection.follow(all, count)
  return execute(testHost, commandOf(command), input === undefined ? {} : { input })
}

beforeEach(() => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u1', userRole: 'admin', login: 'admin' })
  window.history.replaceState(null, '', '/devices')
  fleet = Array.from({ length: size }, (_, at) => fleetDevice(at))
  rowRequests = serveFleet(() => fleet)
  ;[calls, previews, titles, answers, messages] = [[], [], [], [], []]
  mayReadTasks = Promise.resolve()
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (path.includes('/tasks')) await mayReadTasks
    const given: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    return new Response(JSON.stringify({ data: answer(path, given) }))
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  forgetJobs()
  clearSelections()
  clearSession()
})

test('the preview of more than one call returns reads no rows, and a cancelled one leaves the selection', async () => {
  answers = [false]
  expect(await runOnAll('device.reboot', size)).toEqual({ is: 'stopped' })
  expect(rowRequests).toEqual([])
  expect(calls).toMatchObject([{ path: '/api/v3/jobs', body: { command: 'reboot', search: { operator: 'co' } } }])
  expect(calls[0]!.body).not.toHaveProperty('ids')
  expect(titles).toEqual(['Reboot 1,202 devices?'])
  expect(selection).toMatchObject({ query: all, size })
})

test('the preview counts the matches before it has loaded, and then names those that are skipped', async () => {
  await runOnAll('device.lock', size)
  const [{ targets, source, isSearch }] = previews as [Preview]
  expect({ source, isSearch }).toEqual({ source: 'All devices', isSearch: true })
  expect(previewRows({}, targets, undefined, [])).toMatchObject([
    { heading: 'Selected', count: size },
    { name: 'all that match' },
  ])
  const plan = await previews[0]!.check({ signal: new AbortController().signal, report: () => undefined })
  expect(previewRows({}, targets, plan, [])).toMatchObject([
    { heading: `Skipped: ${offline}`, count: 1 },
    { name: refused },
    { heading: 'Will change', count: size - 1 },
    { name: 'all others that match' },
  ])
})

test('after the run its devices are selected, of them those that failed, which can be retried', async () => {
  answers = [true]
  const result = await runOnAll('device.lock', size)
  expect(result).toMatchObject({ is: 'done', outcome: { failed: [{ id: refused, message: offline }] } })
  expect(messages).toEqual([`Locked ${(size - 1).toLocaleString('en')} of ${size.toLocaleString('en')} devices`])
  expect(calls.filter(({ path, body }) => path === '/api/v3/jobs' && body !== undefined)).toHaveLength(3)
  expect(selection.query).toBeUndefined()
  expect(selection.items().map(one => one.id)).toEqual([refused])
  expect(restorableSelection()?.items).toHaveLength(size)
  expect(lastRun()?.failed.map(one => one.id)).toEqual([refused])
  expect(jobs.list).toMatchObject([{ total: size, done: size - 1, failed: 1, remote: id, state: 'done' }])
  expect(jobs.list[0]!.detail.targets).toHaveLength(size)
})

test('a later command on the selection waits until the devices of the job are selected', async () => {
  answers = [true]
  const { promise, resolve } = Promise.withResolvers<void>()
  mayReadTasks = promise
  const run = runOnAll('device.lock', size)
  await vi.waitFor(() => expect(pendingSelectionChange()).toBeDefined())
  expect(selection.query).toEqual(all)
  const change = pendingSelectionChange()
  resolve()
  expect(await change).toBe(true)
  expect(selection.query).toBeUndefined()
  await run
})

test('a selection that was changed meanwhile stays as it is', async () => {
  answers = [true]
  const { promise, resolve } = Promise.withResolvers<void>()
  mayReadTasks = promise
  const run = runOnAll('device.lock', size)
  await vi.waitFor(() => expect(jobs.list[0]?.remote).toBe(id))
  selection.clear()
  resolve()
  await run
  expect(selection.size).toBe(0)
})

test('as many as one call returns are read with one, so that the preview names each', async () => {
  fleet = fleet.slice(0, 30)
  await runOnAll('device.lock', 30)
  expect(rowRequests).toHaveLength(1)
  expect(previews[0]!.targets.map(target => target.id)).toEqual(fleet.map(({ bssid }) => bssid))
})

test('a command that is no job of the server reads all rows', async () => {
  selection.clear()
  selections.vendors.follow(all, 5000)
  const vendors = Array.from({ length: 1001 }, (_, at) => ({ _id: `v${at}`, login: `v${at}`, company_name: 'C' }))
  vi.restoreAllMocks()
  rowRequests = serveFleet(() => fleet, { vendors })
  window.history.replaceState(null, '', '/vendors')
  await execute(testHost, commandOf('vendors.delete'))
  expect(rowRequests).toHaveLength(2)
})

/** Retries the devices that did not do a job, and returns the paths of the calls before the preview has loaded. */
async function pathsBeforeRetry(reason: string | null): Promise<readonly string[]> {
  const failed = { ...job, counts: counts({ unanswered: size }) } as unknown as Job
  const progress = { report: () => undefined, signal: new AbortController().signal }
  let run: Promise<ExecutionResult> | undefined
  let paths: readonly string[] = []
  calls = []
  const runCommand = (command: Command, input: unknown, targets: readonly AnyItem[]) => {
    paths = calls.map(({ path }) => path)
    return (run = execute(testHost, command, { input, targets }))
  }
  await retry(failed, reason, { progress, runCommand } as unknown as Services)
  await run
  return paths
}

test('a retry of more devices than one call returns reads none before its preview', async () => {
  expect(await pathsBeforeRetry(null)).toEqual([])
  expect(await pathsBeforeRetry('Busy')).toEqual([`/api/v3/jobs/${id}/reasons`])
  for (const { targets, isRetry } of previews)
    expect(previewRows({ isRetry }, targets, undefined, [])).toMatchObject([
      { heading: 'Selected', count: size },
      { name: 'all that did not do it' },
    ])
  expect(previews).toHaveLength(2)
  expect(rowRequests).toEqual([])
  expect(calls.at(-1)).toEqual({ path: `/api/v3/jobs/${id}/retry`, body: { reason: 'Busy', policy: {} } })
})

test('a retry of a few devices is on each of them', async () => {
  await pathsBeforeRetry(offline)
  expect(jobs.list[0]!.detail.targets.map(target => target.id)).toEqual([refused])
})

test('an approved retry carries out its job, and then reads its devices', async () => {
  answers = [true]
  await pathsBeforeRetry(null)
  expect(jobs.list).toMatchObject([{ total: size, done: size - 1, failed: 1, remote: id, state: 'done' }])
  expect(jobs.list[0]!.detail.targets).toHaveLength(size)
})

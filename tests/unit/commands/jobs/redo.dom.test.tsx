/** Edits record the values on the server when they ran, so that they can be undone and redone correctly. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Command, ExecutionResult, Services } from '../../../../src/commands/core/types.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { beginJob, endJob } from '../../../../src/commands/core/runs/jobRuns.ts'
import { jobs, type Job } from '../../../../src/commands/core/runs/jobs.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { undoable, undoJob } from '../../../../src/commands/jobs/undoJob.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import type { RowItem } from '../../../../src/store/selection.ts'

type Stored = Record<string, unknown> & { _id: string }
/** The rows on the server. */
const stored = new Map<string, Stored>()

/** Answers list requests from `stored`. */
function answer(path: string): Promise<Response> {
  const asked = new URL(path, 'http://localhost').searchParams
  const data = [...stored.values()].filter(
    row => !asked.get('search') || row[asked.get('column')!] === asked.get('search'),
  )
  return Promise.resolve(new Response(JSON.stringify({ data: { count: data.length, data } })))
}

interface Input {
  readonly params?: { readonly id: string }
  readonly body: Readonly<Record<string, unknown>>
}
const services = {
  call(_: unknown, { params, body }: Input) {
    const id = params?.id ?? String(body['_id'])
    stored.set(id, { ...stored.get(id), ...body, _id: id })
    return Promise.resolve(undefined)
  },
  runCommand: (command: Command, input: unknown, targets: readonly RowItem[]) => run(command, targets, input),
} as unknown as Services

/** Runs a command as a job, as the host would. */
async function run(command: Command, targets: readonly RowItem[], input: unknown): Promise<ExecutionResult> {
  const { id, title, undo, entity = 'vendors' } = command
  const skipped: never[] = []
  const job = beginJob({ command: id, title, entity, targets, input, skipped, again: undefined, inverse: undo })
  const result = await command.prepare({ ...currentContext(), targets: (() => targets) as never }, input).run(services)
  const ids = targets.map(one => one.id)
  const outcome = { done: ids, failed: [] }
  endJob(job, { outcome, before: typeof result === 'object' ? (result.before ?? []) : [] })
  return { is: 'done', outcome }
}
const item = (id: string, name: string): RowItem => ({ id, name, row: { ...stored.get(id) } })
const latest = (): Job => jobs.list[0]!

beforeEach(() => {
  vi.stubGlobal('fetch', answer)
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  vi.unstubAllGlobals()
  jobs.list = []
  stored.clear()
  clearSession()
})

test('an edit is undone and redone even if the row in memory is outdated', async () => {
  stored.set('v', { _id: 'v', login: 'old', company_name: 'Aqua' })
  await run(commandOf('vendors.edit'), [item('v', 'old')], { login: 'new' })
  expect(stored.get('v')).toMatchObject({ login: 'new' })
  await undoJob(latest(), services)
  expect(stored.get('v')).toMatchObject({ login: 'old' })
  expect(undoable(latest())).toBe(true)
  await undoJob(latest(), services)
  expect(stored.get('v')).toMatchObject({ login: 'new' })
})

test('undoing and redoing a run keeps its original title, even one with “Undo”', async () => {
  stored.set('v', { _id: 'v', login: 'old', company_name: 'Aqua' })
  const edit = commandOf('vendors.edit')
  await run({ ...edit, title: 'Undo “Edit”' }, [item('v', 'old')], { login: 'new' })
  for (const title of ['Undo “Undo “Edit””', 'Redo “Undo “Edit””', 'Undo “Undo “Edit””']) {
    await undoJob(latest(), services)
    expect(latest().title).toBe(title)
  }
})

test('editing a model keeps fields that were changed elsewhere meanwhile', async () => {
  const model = { _id: 'm', name: 'One', platform: 'esp32', capabilities: [], bypass_flow_rates: [1, 2, 3, 4] }
  stored.set('m', { ...model, vendors: [{ _id: 'v' }] })
  const kept = item('m', 'One')
  stored.set('m', { ...model, capabilities: ['uv'], vendors: [{ _id: 'v' }] })
  await run(commandOf('models.edit'), [kept], { name: 'Two' })
  expect(stored.get('m')).toMatchObject({ name: 'Two', capabilities: ['uv'] })
})

test('editing one flush setting of a system keeps the current values of the others', async () => {
  const flush = { smart: null, mode: 0, frequency: 5, duration: 18, volume: 9 }
  stored.set('s', { _id: 's', model: 'S', group: null, cartridges: [], flushing: true, flush })
  const kept = item('s', 'S')
  stored.set('s', { ...stored.get('s'), _id: 's', flush: { ...flush, duration: 60 } })
  await run(commandOf('filtrationSystems.edit'), [kept], { volume: 12 })
  expect(stored.get('s')).toMatchObject({ flush: { duration: 60, volume: 12 } })
})

test.for(['groups.edit', 'cartridgeTypes.edit'] as const)(
  '%s records the value on the server as the previous value',
  async id => {
    const label = id === 'groups.edit' ? 'name' : 'model'
    stored.set('x', { _id: 'x', [label]: 'First' })
    const kept = item('x', 'First')
    stored.set('x', { _id: 'x', [label]: 'Second' })
    await run(commandOf(id), [kept], { [label]: 'Third' })
    expect(latest().detail.before).toEqual([{ ids: ['x'], values: { [label]: 'Second' } }])
  },
)

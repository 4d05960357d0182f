/** Running a script on a mocked host: one preview for all steps, which run in order and stop at the first failure. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { devices } from '../../../../src/api/contract/devices.ts'
import { ApiError } from '../../../../src/api/errors.ts'
import { register, unregister } from '../../../../src/commands/core/registry.ts'
import { defineCommand } from '../../../../src/commands/core/defineCommand.ts'
import type { ExecutionResult, DryRun } from '../../../../src/commands/core/types.ts'
import type { Context, Targets } from '../../../../src/commands/core/context.ts'
import { nothing } from '../../../../src/commands/core/needs.ts'
import { someDevices } from '../../../../src/commands/core/targetNeeds.ts'
import { policyText } from '../../../../src/commands/arguments/policyTexts.ts'
import { bulkOperation } from '../../../../src/commands/core/execution/operation.ts'
import { resultText } from '../../../../src/commands/scripts/resultText.ts'
import { runSteps } from '../../../../src/commands/scripts/runScript.ts'
import type { ScriptPreview, ScriptHost } from '../../../../src/commands/scripts/scriptHost.ts'
import { retryOf } from '../../../../src/commands/scripts/retry.ts'
import type { Step } from '../../../../src/store/scripts/recording.ts'
import type { Script } from '../../../../src/store/scripts/scripts.ts'
import type { DeviceItem } from '../../../../src/store/selection.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const all = ['a', 'b', 'c'].map(device)

const shared = { entity: 'devices', group: 'control', on: [], needs: someDevices } as const
const testCommands = [
  defineCommand({
    ...shared,
    id: 'test.paint',
    title: 'Paint',
    endpoint: devices.lock,
    args: z.object({ colour: z.string().check(z.minLength(1)) }),
    operation: () => bulkOperation(devices.lock, { locked: true }),
  }),
  defineCommand({
    ...shared,
    id: 'test.dry',
    title: 'Dry',
    endpoint: devices.flush,
    operation: () => bulkOperation(devices.flush, {}),
  }),
  defineCommand({
    ...shared,
    id: 'test.drop',
    title: 'Drop',
    endpoint: devices.delete,
    removesTargets: true,
    operation: () => bulkOperation(devices.delete, {}),
  }),
  defineCommand({
    id: 'test.pick',
    title: 'Pick',
    group: 'list',
    selection: 'changes',
    on: [],
    roles: ['admin'],
    needs: nothing,
    run: () => undefined,
  }),
]
beforeAll(() => register(testCommands))
afterAll(() => unregister(new Set(testCommands.map(({ id }) => id))))

let selected: readonly DeviceItem[]
let log: string[]
let offline: readonly string[]
let fails: readonly string[]
let previews: ScriptPreview[]
/** Answers a preview with the approved plans; undefined cancels. */
let answer: (plans: readonly DryRun[]) => readonly DryRun[] | undefined
let stop: boolean
/** The ids that each step skipped. */
let skipped: string[][]
/** The approved policy of each step that has one. */
let policies: unknown[]

const context = (): Context => ({
  role: 'admin',
  path: '/devices',
  list: undefined,
  targets: (() => selected) as unknown as Targets,
  last: undefined,
})
const planOf = (ids: readonly string[]): DryRun => ({
  affected: ids.filter(id => !offline.includes(id)),
  skipped: ids.filter(id => offline.includes(id)).map(id => ({ id, message: 'Offline' })),
})

const scriptHost: ScriptHost = {
  context,
  targets: () => Promise.resolve(selected),
  dryRun(_, ids, _signal, policy) {
    if (policy) log.push(`check with ${policyText(policy)}`)
    const plan = planOf(ids)
    const counts = {
      total: ids.length,
      count: plan.affected.length,
      waiting: 0,
      reasons: [],
      waves: [],
      isSearch: false,
    }
    return Promise.resolve({ ...plan, job: { ...counts, policy: policy ?? {} } })
  },
  async preview(preview) {
    previews.push(preview)
    log.push(`preview ${preview.steps.map(({ index }) => index + 1).join(' ')}`)
    return answer(
      preview.plans ?? (await Promise.all(preview.steps.map(step => step.dryRun(new AbortController().signal)))),
    )
  },
  signal: new AbortController().signal,
  run(command, { input, targets, approved }): Promise<ExecutionResult> {
    if (command.id === 'test.pick') {
      selected = [device('z')]
      log.push('pick')
      return Promise.resolve({ is: 'done' })
    }
    const ids = (targets ?? []).map(({ id }) => id).filter(id => approved.affected.includes(id))
    policies.push(approved.job?.policy)
    skipped.push(approved.skipped.map(({ id }) => id))
    log.push(`${command.title} ${ids.join('')}${JSON.stringify(input) === '{}' ? '' : ` ${JSON.stringify(input)}`}`)
    return Promise.resolve({
      is: 'done',
      outcome: {
        done: ids.filter(id => !fails.includes(id)),
        failed: [...ids.filter(id => fails.includes(id)).map(id => ({ id, message: 'Refused' })), ...approved.skipped],
      },
    })
  },
  waitUntilReady: () => Promise.resolve(),
  targetsKey: () => selected.map(({ id }) => id).join(),
  onStepStart: () => undefined,
  isStopped: () => stop,
}

const paint = { command: 'test.paint', input: { colour: 'red' }, ask: [] }
const [dry, drop, pick] = ['dry', 'drop', 'pick'].map(id => ({ command: `test.${id}`, input: {}, ask: [] }))
const restore: Step = { command: 'select.restore', input: { name: 'kitchen' }, ask: [] }
const script = (...steps: (Script['steps'][number] | undefined)[]): Script => ({
  name: 'S',
  go_on: false,
  steps: steps.filter(step => step !== undefined),
})
const run = (of: Script, args = {}) =>
  runSteps(scriptHost, { script: of, args, targets: { entity: 'devices', items: all }, from: 0 })

beforeEach(() => {
  selected = [device('elsewhere')]
  log = []
  offline = []
  fails = []
  previews = []
  answer = plans => plans
  stop = false
  skipped = []
  policies = []
})

test('all steps are previewed first, and then run on the selection at the start', async () => {
  const end = await run(script(paint, dry))
  expect(log).toEqual(['preview 1 2', 'Paint abc {"colour":"red"}', 'Dry abc'])
  expect(resultText(script(paint, dry), end)).toBe('“S” is done: 2 steps')
})

test('a step runs with its policy, and a wrong policy stops the script at its step', async () => {
  await run(script({ ...paint, policy: 'rate 5 wait 7d' }, dry))
  expect(log.filter(line => line.startsWith('check'))).toContain('check with rate 5 wait 7d')
  expect(policies).toEqual([{ rate: 5, offline: 168 }, undefined])
  log = []
  const end = await run(script(dry, { ...paint, policy: 'waves often' }))
  expect(previews.at(-1)?.steps.map(({ blocked }) => blocked)).toEqual([
    undefined,
    'Policy: “waves often” is not understood',
  ])
  expect(end).toMatchObject({ stopReason: 'failed', results: [{ is: 'done' }, { is: 'failed' }] })
})

test('nothing runs if the preview is cancelled', async () => {
  answer = () => undefined
  expect(await run(script(paint, dry))).toMatchObject({ results: [], next: 0, stopReason: 'stopped' })
  expect(log).toEqual(['preview 1 2'])
})

test('a prompted argument replaces the recorded one', async () => {
  await run(script({ ...paint, ask: ['colour'] }), { '1.colour': 'blue' })
  expect(log).toEqual(['preview 1', 'Paint abc {"colour":"blue"}'])
})

test('targets skipped in the preview do not count as failures', async () => {
  offline = ['b']
  const end = await run(script(paint, dry))
  expect(log).toEqual(['preview 1 2', 'Paint ac {"colour":"red"}', 'Dry ac'])
  expect(end.stopReason).toBeUndefined()
  expect(skipped).toEqual([['b'], ['b']])
})

test('a plan that changed since its approval is previewed again', async () => {
  answer = plans => {
    offline = ['a']
    return plans
  }
  await run(script(dry))
  expect(log).toEqual(['preview 1', 'preview 1', 'Dry bc'])
  expect(previews[1]?.changed).toEqual([[{ id: 'a', before: undefined, now: 'Offline' }]])
})

test('a script stops at the first failure and names the steps that did not run', async () => {
  fails = ['b']
  const of = script(paint, dry, drop)
  const end = await run(of)
  expect(log).toEqual(['preview 1 2 3', 'Paint abc {"colour":"red"}'])
  expect(end).toMatchObject({ next: 1, stopReason: 'failed', targets: { items: all } })
  expect(resultText(of, end)).toBe('“S” stopped at step 1 of 3, Paint: 1 of 3 failed. Not run: Dry, Drop.')
})

test('a script with go_on continues after failures', async () => {
  fails = ['b']
  const of = { ...script(paint, dry), go_on: true }
  const end = await run(of)
  expect(log).toEqual(['preview 1 2', 'Paint abc {"colour":"red"}', 'Dry abc'])
  expect(resultText(of, end)).toBe('“S”: 2 of 2 steps had failures')
})

test('steps after one that selects act on its selection, and are previewed when reached', async () => {
  await run(script(paint, pick, dry, drop))
  expect(log).toEqual(['preview 1', 'Paint abc {"colour":"red"}', 'pick', 'preview 3 4', 'Dry z', 'Drop z'])
})

test('targets deleted by a step are not targets of the next', async () => {
  fails = ['b']
  await run({ ...script(drop, dry), go_on: true })
  expect(log).toEqual(['preview 1 2', 'Drop abc', 'Dry b'])
})

test('targets of a deletion that failed as a whole are targets of the next step', async () => {
  const broken: ScriptHost = {
    ...scriptHost,
    run: (command, options) =>
      command.removesTargets
        ? Promise.resolve({ is: 'failed', error: new ApiError(500, ['Out of reach']) })
        : scriptHost.run(command, options),
  }
  const of = { ...script(drop, dry), go_on: true }
  await runSteps(broken, { script: of, args: {}, targets: { entity: 'devices', items: all }, from: 0 })
  expect(log).toEqual(['preview 1 2', 'Dry abc'])
})

test('a stopped script names the steps that did not run', async () => {
  const of = script(paint, dry)
  const end = await runSteps(
    { ...scriptHost, onStepStart: () => (stop = true) },
    { script: of, args: {}, targets: { entity: 'devices', items: all }, from: 0 },
  )
  expect(log).toEqual(['preview 1 2', 'Paint abc {"colour":"red"}'])
  expect(resultText(of, end)).toBe('“S” was stopped. Not run: Dry.')
})

test('continuing starts after the failed step, with the same targets', async () => {
  const of = script(paint, dry)
  await runSteps(scriptHost, { script: of, args: {}, targets: { entity: 'devices', items: all }, from: 1 })
  expect(log).toEqual(['preview 2', 'Dry abc'])
})

test('a plan that an earlier step changed is previewed again before its step', async () => {
  offline = ['b']
  const changingHost: ScriptHost = {
    ...scriptHost,
    run(command, given) {
      if (command.id === 'test.paint') offline = []
      return scriptHost.run(command, given)
    },
  }
  const of = script(paint, dry)
  await runSteps(changingHost, { script: of, args: {}, targets: { entity: 'devices', items: all }, from: 0 })
  expect(log).toEqual(['preview 1 2', 'Paint ac {"colour":"red"}', 'preview 2', 'Dry abc'])
  expect(previews[1]?.changed).toEqual([[{ id: 'b', before: 'Offline', now: undefined }]])
})

test('if a dry run between steps fails, the step is previewed again', async () => {
  let checks = 0
  const failingHost: ScriptHost = {
    ...scriptHost,
    dryRun: (...of) => (++checks === 5 ? Promise.reject(new ApiError(0, 'Offline')) : scriptHost.dryRun(...of)),
  }
  const of = script(paint, dry)
  const end = await runSteps(failingHost, { script: of, args: {}, targets: { entity: 'devices', items: all }, from: 0 })
  expect(log).toEqual(['preview 1 2', 'Paint abc {"colour":"red"}', 'preview 2', 'Dry abc'])
  expect(previews[1]?.plans).toBeUndefined()
  expect(end).toMatchObject({ next: undefined, stopReason: undefined })
})

test('after a selecting step, a step never acts on the row that only has the focus', async () => {
  const focused: ScriptHost = {
    ...scriptHost,
    targets: (_command, _context, { allowFocus }) => Promise.resolve(allowFocus ? all.slice(0, 1) : []),
  }
  await runSteps(focused, { script: script(dry), args: {}, targets: undefined, from: 0 })
  expect(log).toEqual(['preview 1', 'Dry a'])
  log = []
  const of = script(pick, dry)
  await runSteps(focused, { script: of, args: {}, targets: undefined, from: 0 })
  expect(previews.at(-1)?.steps[0]).toMatchObject({ targets: [], blocked: 'At least one device must be selected' })
  // Also if the script continues there later.
  await runSteps(focused, { script: of, args: {}, targets: undefined, from: 1 })
  expect(log.filter(line => line.startsWith('Dry'))).toEqual([])
})

test('a selecting step that fails stops the script, also if it continues after failures', async () => {
  const failing: ScriptHost = {
    ...scriptHost,
    run: (command, options) =>
      command.id === 'test.pick'
        ? Promise.resolve({ is: 'failed', error: new Error('No device found') })
        : scriptHost.run(command, options),
  }
  const of = { ...script(pick, dry), go_on: true }
  const end = await runSteps(failing, { script: of, args: {}, targets: undefined, from: 0 })
  expect(log).toEqual([])
  expect(end).toMatchObject({ next: 0, stopReason: 'failed' })
})

test('a step on another list than the one on screen stops the script, also if it continues after failures', async () => {
  const of = { ...script(pick, { ...restore, list: 'vendors' }, dry), go_on: true }
  const end = await runSteps(scriptHost, { script: of, args: {}, targets: undefined, from: 0 })
  expect(log).toEqual(['pick'])
  expect(end).toMatchObject({
    next: 1,
    stopReason: 'failed',
    results: [{ is: 'done' }, { message: '“Restore saved selection” acts on the list of vendors: open it first' }],
  })
})

test('a script whose targets cannot be read can continue from that step', async () => {
  const failingHost: ScriptHost = {
    ...scriptHost,
    targets: () => Promise.reject(new ApiError(0, 'Offline')),
  }
  const of = script(paint, pick, dry)
  const end = await runSteps(failingHost, { script: of, args: {}, targets: { entity: 'devices', items: all }, from: 0 })
  expect(end).toMatchObject({
    next: 2,
    stopReason: 'failed',
    results: [{ is: 'done' }, { is: 'done' }, { message: 'Offline' }],
  })
})

test('a retry runs each step again on its failed and skipped targets', async () => {
  const retried: string[] = []
  const runOf = (title: string, ids: string[]) => ({
    failed: ids.map(device),
    failureReport: { title, failed: ids.map(id => ({ id, name: id, message: 'Refused', blockingDevices: undefined })) },
    again: (targets: readonly { id: string }[] = []) =>
      Promise.resolve(retried.push(`${title} ${targets.map(({ id }) => id).join('')}`)),
  })
  const results = [
    { index: 0, is: 'failed' as const, done: 1, failed: [{ id: 'b', message: 'Refused' }], message: undefined },
    { index: 1, is: 'failed' as const, done: 2, failed: [{ id: 'c', message: 'Refused' }], message: undefined },
  ]
  const of = { script: script(paint, dry, drop) }
  const retry = retryOf(
    of,
    { results },
    new Map([
      [0, runOf('Painted', ['a', 'b'])],
      [1, runOf('Dried', ['c'])],
    ]),
  )
  expect(retry?.failed.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(retry?.failureReport?.failed.map(({ message }) => message)).toEqual([
    'Paint: Refused',
    'Paint: Refused',
    'Dry: Refused',
  ])
  await retry?.again(retry.failed)
  expect(retried).toEqual(['Painted ab', 'Dried c'])
  // Without failures to retry there is no retry.
  expect(retryOf(of, { results }, new Map())).toBeUndefined()
})

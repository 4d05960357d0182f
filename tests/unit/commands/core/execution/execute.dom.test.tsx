/** `execute` with a mocked host. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { ApiError, errorText } from '../../../../../src/api/errors.ts'
import { defineCommand } from '../../../../../src/commands/core/defineCommand.ts'
import type { Services } from '../../../../../src/commands/core/types.ts'
import type { Outcome } from '../../../../../src/commands/core/runs/outcome.ts'
import type { Context, Targets } from '../../../../../src/commands/core/context.ts'
import { execute } from '../../../../../src/commands/core/execution/execute.ts'
import type { Host } from '../../../../../src/commands/core/execution/host.ts'
import { clearLastRun, lastRun } from '../../../../../src/commands/core/runs/lastRun.ts'
import { nothing } from '../../../../../src/commands/core/needs.ts'
import { someDevices } from '../../../../../src/commands/core/targetNeeds.ts'
import { cancelWaiting } from '../../../../../src/commands/core/runs/waitingCommands.ts'
import { pendingCommands } from '../../../../../src/commands/core/runs/pendingCommands.ts'
import { repeatCommands } from '../../../../../src/commands/jobs/repeat.ts'
import { selectEarlierCommands } from '../../../../../src/commands/selection/selectEarlier.ts'
import { navigations } from '../../../../../src/store/address.ts'
import { focus, resetFocus } from '../../../../../src/store/focus.ts'
import { lists } from '../../../../../src/store/lists.ts'
import { selections, type DeviceItem } from '../../../../../src/store/selection.ts'
import { session } from '../../../../../src/store/session.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
/** Returns these devices as targets; the array is read on each call, as the selection is. */
const targetsOf = (devices: readonly DeviceItem[]): Targets =>
  ((entity: string) => (entity === 'devices' ? devices : [])) as Targets
let context: Context
let log: string[]
let answers: { ask: unknown; confirm: boolean }
let ran: { ids: string[]; args: unknown }[]
let fails: readonly string[]

const host: Host = {
  sourceOf: () => 'Page 1',
  context: () => context,
  ask: () => Promise.resolve(answers.ask),
  confirm: question => {
    log.push(`confirm ${question.title}`)
    return Promise.resolve(answers.confirm)
  },
  targets: command => Promise.resolve(command.entity ? context.targets(command.entity) : []),
  searchOf: () => undefined,
  matches: () => Promise.reject(new Error('No searches here')),
  dryRun: () => Promise.reject(new Error('No bulk operations here')),
  preview: () => Promise.reject(new Error('No previews here')),
  begin: () => ({
    services: {} as unknown as Services,
    end: ({ is }) => log.push(`ended ${is}`),
  }),
  blocked: reason => log.push(`blocked ${reason}`),
  didNotRun: reason => log.push(reason),
  waiting(text) {
    log.push(text)
    return () => log.push('waited')
  },
  finished: (_, message) => log.push(`finished ${message}`),
  failed: error => log.push(`failed ${errorText(error)}`),
}

const paint = defineCommand({
  entity: 'devices',
  id: 'test.paint',
  title: 'Paint',
  group: 'control',
  on: ['control'],
  roles: ['admin'],
  needs: someDevices,
  args: z.object({ colour: z.string().check(z.minLength(1)) }),
  confirm: targets => ({
    title: `Paint ${targets.length}?`,
    text: '',
    action: 'Paint',
    type: undefined,
    danger: false,
  }),
  run(targets, args): Outcome {
    const ids = targets.map(({ id }) => id)
    ran.push({ ids, args })
    return {
      done: ids.filter(id => !fails.includes(id)),
      failed: ids.filter(id => fails.includes(id)).map(id => ({ id, message: 'Dry' })),
    }
  },
  done: ({ done }, total) => `Painted ${done.length} of ${total}`,
  repeatable: true,
})
const withColour = { input: { colour: 'blue' } }

beforeEach(() => {
  log = []
  ran = []
  fails = []
  answers = { ask: { colour: 'red' }, confirm: true }
  clearLastRun()
  selections.devices.clear()
  context = {
    role: 'admin',
    path: '/devices',
    list: undefined,
    targets: targetsOf([device('a'), device('b')]),
    last: undefined,
  }
})

test('prompts for missing arguments, confirms, runs and reports', async () => {
  expect(await execute(host, paint)).toMatchObject({ is: 'done', outcome: { done: ['a', 'b'] } })
  expect(ran).toEqual([{ ids: ['a', 'b'], args: { colour: 'red' } }])
  expect(log).toEqual(['confirm Paint 2?', 'ended done', 'finished Painted 2 of 2'])
})

test('the confirmation names where the targets come from', async () => {
  const sources: (string | undefined)[] = []
  const asking: Host = {
    ...host,
    confirm(_, __, source) {
      sources.push(source)
      return Promise.resolve(false)
    },
  }
  await execute(asking, paint, withColour)
  await execute(asking, paint, { ...withColour, targets: [device('x')], source: 'The row of the menu' })
  expect(sources).toEqual(['Page 1', 'The row of the menu'])
})

test('does not prompt for given arguments', async () => {
  answers.ask = undefined
  await execute(host, paint, withColour)
  expect(ran).toEqual([{ ids: ['a', 'b'], args: { colour: 'blue' } }])
})

describe('does not run', () => {
  test('for a role without permission', async () => {
    context = { ...context, role: 'vendor' }
    expect(await execute(host, paint, withColour)).toEqual({ is: 'stopped' })
    expect(log).toEqual([])
    expect(ran).toEqual([])
  })
  test('if blocked, and reports the reason', async () => {
    context = { ...context, targets: targetsOf([]) }
    expect(await execute(host, paint, withColour)).toEqual({ is: 'stopped' })
    expect(log).toEqual(['blocked At least one device must be selected'])
    expect(ran).toEqual([])
  })
  test('if the prompt for an argument is cancelled', async () => {
    answers.ask = undefined
    expect(await execute(host, paint)).toEqual({ is: 'stopped' })
    expect(log).toEqual([])
    expect(ran).toEqual([])
  })
  test('if not confirmed', async () => {
    answers.confirm = false
    expect(await execute(host, paint, withColour)).toEqual({ is: 'stopped' })
    expect(log).toEqual(['confirm Paint 2?'])
    expect(ran).toEqual([])
  })
  test('with invalid input, and names the fields', async () => {
    const invalid = { is: 'invalid', fields: { colour: 'Colour is required' } }
    expect(await execute(host, paint, { input: { colour: '' }, showsInvalid: true })).toEqual(invalid)
    expect(log).toEqual([])
    expect(await execute(host, paint, { input: { colour: '' } })).toEqual(invalid)
    expect(log).toEqual(['failed Colour is required'])
    expect(ran).toEqual([])
  })
  test('if the role changed during the confirmation', async () => {
    const changing: Host = {
      ...host,
      confirm: () => {
        context = { ...context, role: 'superadmin' }
        return Promise.resolve(true)
      },
    }
    expect(await execute(changing, paint, withColour)).toEqual({ is: 'stopped' })
    expect(ran).toEqual([])
  })
})

test('the targets are fixed at the start, even if the selection changes', async () => {
  const picked = [device('a'), device('b')]
  context = { ...context, targets: targetsOf(picked) }
  const slow: Host = {
    ...host,
    confirm: () => {
      picked.push(device('c'))
      context = { ...context, targets: targetsOf([device('d')]) }
      return Promise.resolve(true)
    },
  }
  await execute(slow, paint, withColour)
  expect(ran[0]?.ids).toEqual(['a', 'b'])
})

describe('while the selection is changing, a command', () => {
  const narrow = defineCommand({
    entity: 'devices',
    id: 'test.narrow',
    title: 'Narrow',
    group: 'list',
    selection: 'changes',
    roles: ['admin'],
    needs: someDevices,
    args: z.object({ to: z.string() }),
    async run(_, { to }) {
      await found.promise
      context = { ...context, targets: targetsOf([device(to)]) }
    },
  })
  let found: ReturnType<typeof Promise.withResolvers<void>>
  beforeEach(() => void (found = Promise.withResolvers()))

  test('waits, and acts on the changed selection', async () => {
    const narrowed = execute(host, narrow, { input: { to: 'c' } })
    const painted = execute(host, paint, withColour)
    expect(pendingCommands.count).toBeGreaterThan(0)
    found.resolve()
    await Promise.all([narrowed, painted])
    expect(ran.map(({ ids }) => ids)).toEqual([['c']])
    expect(pendingCommands.count).toBe(0)
  })
  test('waits for all earlier changes', async () => {
    const all = [
      execute(host, narrow, { input: { to: 'c' } }),
      execute(host, narrow, { input: { to: 'd' } }),
      execute(host, paint, withColour),
    ]
    found.resolve()
    await Promise.all(all)
    expect(ran.map(({ ids }) => ids)).toEqual([['d']])
  })
  test('does not run if the change fails, and says so', async () => {
    const narrowed = execute(host, narrow, { input: { to: 'c' } })
    const painted = execute(host, paint, withColour)
    found.reject(new Error('Out of reach'))
    expect(await painted).toEqual({ is: 'stopped' })
    expect((await narrowed).is).toBe('failed')
    expect(ran).toEqual([])
    expect(log).toContain('“Paint” did not run, because the selection could not be changed')
    // The next command finds the selection as it is on screen.
    await execute(host, paint, withColour)
    expect(ran.map(({ ids }) => ids)).toEqual([['a', 'b']])
  })
  test('says so, and can be cancelled', async () => {
    const narrowed = execute(host, narrow, { input: { to: 'c' } })
    const painted = execute(host, paint, withColour)
    expect(log).toEqual(['“Paint” waits for the selection. Press Esc to cancel.'])
    cancelWaiting()
    expect(await painted).toEqual({ is: 'stopped' })
    expect(log).toContain('waited')
    found.resolve()
    await narrowed
    expect(ran).toEqual([])
    expect(pendingCommands.count).toBe(0)
  })
  test('does not wait if it does not use the selection', async () => {
    const navigate = defineCommand({
      id: 'test.navigate',
      title: 'Navigate',
      group: 'go',
      roles: ['admin'],
      needs: nothing,
      run: () => 'There',
    })
    const narrowed = execute(host, narrow, { input: { to: 'c' } })
    await execute(host, navigate)
    expect(log).toContain('finished There')
    found.resolve()
    await narrowed
  })
})

describe('while the rows on screen are loading, a command', () => {
  const row = device('new')
  const state = lists.devices
  /** The list of devices, with these rows once they have loaded. */
  const listWith = (rows: readonly DeviceItem[] | undefined): Context => ({
    ...context,
    list: { entity: 'devices', state, focus: focus.devices, rows: rows ?? [], count: rows?.length },
    targets: targetsOf(rows ?? []),
  })
  beforeEach(() => {
    resetFocus()
    context = listWith(undefined)
  })

  test('waits, and acts on the new ones', async () => {
    const painted = execute(host, paint, withColour)
    expect(log).toEqual(['“Paint” waits for the rows. Press Esc to cancel.'])
    context = listWith([row])
    focus.devices.pageLoads++
    await painted
    expect(ran.map(({ ids }) => ids)).toEqual([['new']])
    expect(pendingCommands.count).toBe(0)
  })
  test('waits until the focus has moved to the new rows', async () => {
    context = { ...listWith([row]), targets: targetsOf([]) }
    focus.devices.moves++
    const painted = execute(host, paint, withColour)
    context = listWith([row])
    Object.assign(focus.devices, { id: row.id, pageLoads: 1 })
    await painted
    expect(ran.map(({ ids }) => ids)).toEqual([['new']])
  })
  test('does not run if they cannot be loaded, and says so', async () => {
    const painted = execute(host, paint, withColour)
    await vi.dynamicImportSettled()
    focus.devices.hasFailed = true
    expect(await painted).toEqual({ is: 'stopped' })
    expect(log).toContain('“Paint” did not run, because the rows could not be loaded')
    await execute(host, paint, withColour)
    expect(log).toContain('blocked At least one device must be selected')
    focus.devices.hasFailed = false
  })
  test('does not wait if it has other targets', async () => {
    context = { ...context, targets: targetsOf([device('selected')]) }
    await execute(host, paint, withColour)
    await execute(host, paint, { ...withColour, targets: [device('given')] })
    expect(ran.map(({ ids }) => ids)).toEqual([['selected'], ['given']])
  })
  test('waits for the device of an opened screen, until another screen is opened', async () => {
    context = { ...context, path: '/devices/A4:1C:09:7E:33:0B', list: undefined, targets: targetsOf([]) }
    const painted = execute(host, paint, withColour)
    context = { ...context, path: '/settings' }
    navigations.count++
    expect(await painted).toEqual({ is: 'stopped' })
    expect(log).toContain('blocked At least one device must be selected')
  })
})

test('after a partial success the earlier selection can be restored until other rows are selected', async () => {
  const all = ['a', 'b', 'c'].map(device)
  selections.devices.add(all, 'page 1')
  context = { ...context, targets: targetsOf(all) }
  fails = ['b']
  await execute(host, paint, withColour)
  expect(selections.devices.sources).toEqual(['1 that failed stays selected'])
  const restore = selectEarlierCommands[0]!
  await execute(host, restore)
  expect(selections.devices.items()).toEqual([all[1], all[0], all[2]])
  expect(selections.devices.sources).toEqual(['page 1'])
  await execute(host, paint, withColour)
  selections.devices.clear()
  await execute(host, restore)
  expect(selections.devices.size).toBe(3)
  await execute(host, paint, withColour)
  selections.devices.add([device('z')])
  log = []
  await execute(host, restore)
  expect(log).toEqual(['blocked No command has failed on some of its rows'])
})

test('the selection stays as it is while a prompt is open, and shrinks once that is answered', async () => {
  const all = ['a', 'b', 'c'].map(device)
  selections.devices.add(all, 'page 1')
  context = { ...context, targets: targetsOf(all) }
  const answered = Promise.withResolvers<boolean>()
  const asking: Host = { ...host, confirm: () => answered.promise }
  const prompted = execute(asking, paint, withColour)
  fails = ['b']
  await execute(host, paint, withColour)
  expect(selections.devices.size).toBe(3)
  fails = []
  answered.resolve(true)
  await prompted
  expect(ran[1]?.ids).toEqual(['a', 'b', 'c'])
  expect(selections.devices.items()).toEqual([all[1]])
})

test('failed targets stay selected, and a retry acts only on them', async () => {
  const all = ['a', 'b', 'c'].map(device)
  selections.devices.add(all)
  context = { ...context, targets: targetsOf(all) }
  fails = ['b']
  await execute(host, paint, withColour)
  expect(selections.devices.items().map(({ id }) => id)).toEqual(['b'])
  expect(lastRun()?.id).toBe('test.paint')
  expect(lastRun()?.failed.map(({ id }) => id)).toEqual(['b'])
  expect(log).toContain('finished Painted 2 of 3')

  // The selection has changed by now, but the retry still acts on the failed targets.
  fails = []
  context = { ...context, targets: targetsOf([device('z')]), last: lastRun() }
  await execute(
    host,
    repeatCommands.find(({ id }) => id === 'run.retry')!,
  )
  expect(ran[1]).toEqual({ ids: ['b'], args: withColour.input })
  expect(lastRun()?.failed).toEqual([])
})

describe('a run that ends after other rows were selected', () => {
  const startOn = (all: readonly DeviceItem[], properties: { readonly removesTargets?: boolean } = {}) => {
    selections.devices.replace(all, [])
    context = { ...context, targets: targetsOf(all) }
    const ended = Promise.withResolvers<Outcome>()
    const command = { ...paint, ...properties, prepare: () => ({ ...call, run: () => ended.promise }) }
    const call = paint.prepare(context, withColour.input)
    return { result: execute(host, command, withColour), end: ended.resolve }
  }
  const outcome = { done: ['a'], failed: [{ id: 'b', message: 'Dry' }] }
  const selected = () => selections.devices.items().map(({ id }) => id)

  test('leaves them selected, although some failed', async () => {
    const { result, end } = startOn(['a', 'b'].map(device))
    selections.devices.replace(['a', 'z'].map(device), [])
    end(outcome)
    await result
    expect(selected()).toEqual(['a', 'z'])
  })

  test('deselects the rows that are done if only some rows of the run are selected', async () => {
    const { result, end } = startOn(['a', 'b', 'c'].map(device))
    selections.devices.replace(['a', 'b'].map(device), [])
    end(outcome)
    await result
    expect(selected()).toEqual(['b'])
  })

  test('deselects the rows that no longer exist', async () => {
    const { result, end } = startOn(['a', 'b'].map(device), { removesTargets: true })
    selections.devices.replace(['a', 'z'].map(device), [])
    end(outcome)
    await result
    expect(selected()).toEqual(['z'])
  })
})

test('repeating uses the same input on the current selection', async () => {
  await execute(host, paint, withColour)
  context = { ...context, targets: targetsOf([device('z')]), last: lastRun() }
  await execute(
    host,
    repeatCommands.find(({ id }) => id === 'run.repeat')!,
  )
  expect(ran[1]).toEqual({ ids: ['z'], args: withColour.input })
})

test('a failed call is reported, and its progress ends', async () => {
  const broken = defineCommand({
    id: 'test.broken',
    title: 'Broken',
    group: 'control',
    on: [],
    roles: ['admin'],
    needs: someDevices,
    run: () => Promise.reject(new ApiError(400, ['A', 'B'])),
  })
  expect((await execute(host, broken)).is).toBe('failed')
  expect(log).toEqual(['ended failed', 'failed A, B'])
})

test('the report and the last run have the job of the run, also if it cannot be undone', async () => {
  let reportedJob: string | undefined
  fails = ['b']
  const working: Host = {
    ...host,
    begin: () => ({ services: {} as unknown as Services, job: 'job 7', end: () => undefined }),
    finished: (_, __, ___, job) => (reportedJob = job),
  }
  await execute(working, paint, withColour)
  expect(reportedJob).toBe('job 7')
  expect(lastRun()?.job).toBe('job 7')
})

test('a run without a job has a unique id', async () => {
  const reportedJobs: (string | undefined)[] = []
  fails = ['b']
  const working: Host = { ...host, finished: (_, __, ___, job) => reportedJobs.push(job) }
  await execute(working, paint, withColour)
  await execute(working, paint, withColour)
  const [first, second] = reportedJobs
  expect(first).toBeDefined()
  expect(second).toBe(lastRun()?.job)
  expect(first).not.toBe(second)
})

describe('if another person signs in meanwhile', () => {
  beforeEach(() => {
    session.userId = 'ada'
    return () => void (session.userId = null)
  })

  test('a confirmed command does not run', async () => {
    const asking: Host = {
      ...host,
      confirm() {
        session.userId = 'bob'
        return Promise.resolve(true)
      },
    }
    expect(await execute(asking, paint, withColour)).toEqual({ is: 'stopped' })
    expect(ran).toEqual([])
  })

  test('the result of a running command is neither reported nor kept for a retry', async () => {
    const switching = {
      ...paint,
      prepare: (...of: Parameters<typeof paint.prepare>) => withUserSwitch(paint.prepare(...of)),
    }
    expect(await execute(host, switching, withColour)).toEqual({ is: 'stopped' })
    expect(ran).toHaveLength(1)
    expect(log.filter(line => line.startsWith('finished'))).toEqual([])
    expect(lastRun()).toBeUndefined()
  })
})

/** Wraps a call so that another person signs in while it runs. */
const withUserSwitch = (call: ReturnType<typeof paint.prepare>): ReturnType<typeof paint.prepare> => ({
  ...call,
  run(services) {
    session.userId = 'bob'
    return call.run(services)
  },
})

test('a command is pending before its first prompt, between prompts, and until it runs', async () => {
  const at: [string, number][] = []
  const note = (where: string) => at.push([where, pendingCommands.count])
  const recordingHost: Host = {
    ...host,
    targets: async (command, now) => {
      await Promise.resolve()
      note('targets')
      return host.targets(command, now)
    },
    ask: async () => {
      await Promise.resolve()
      note('ask')
      return answers.ask
    },
    confirm: async () => {
      await Promise.resolve()
      note('confirm')
      return answers.confirm
    },
    begin: async (command, of) => {
      await Promise.resolve()
      note('begin')
      return host.begin(command, of)
    },
    finished: () => note('finished'),
  }
  await execute(recordingHost, paint)
  expect(at).toEqual([
    ['targets', 1],
    ['ask', 0],
    ['confirm', 0],
    ['begin', 1],
    ['finished', 0],
  ])
  answers.ask = undefined
  await execute(recordingHost, paint)
  await execute({ ...recordingHost, targets: () => Promise.reject(new Error('Out of reach')) }, paint)
  expect(pendingCommands.count).toBe(0)
})

/** The one path by which commands run, in a world made of functions. */
import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ApiError } from '../../../../../src/api/errors.ts'
import { defineCommand } from '../../../../../src/commands/core/defineCommand.ts'
import type { Services } from '../../../../../src/commands/core/types.ts'
import type { Outcome } from '../../../../../src/commands/core/runs/outcome.ts'
import type { Context, Targets } from '../../../../../src/commands/core/context.ts'
import { errorMessages, execute } from '../../../../../src/commands/core/execution/execute.ts'
import type { Host } from '../../../../../src/commands/core/execution/host.ts'
import { clearLastRun, lastRun } from '../../../../../src/commands/core/runs/lastRun.ts'
import { someDevices } from '../../../../../src/commands/core/needs.ts'
import { pendingCommands } from '../../../../../src/commands/core/runs/pendingCommands.ts'
import { repeatCommands } from '../../../../../src/commands/jobs/repeat.ts'
import { selections, type DeviceItem } from '../../../../../src/store/selection.ts'
import { session } from '../../../../../src/store/session.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
/** What is acted on, where it is devices. The list is read when it is asked for, as the selection is. */
const targeting = (devices: readonly DeviceItem[]): Targets =>
  ((entity: string) => (entity === 'devices' ? devices : [])) as Targets
let context: Context
let log: string[]
let answers: { ask: unknown; confirm: boolean }
let ran: { ids: string[]; args: unknown }[]
let fails: readonly string[]

const host: Host = {
  context: () => context,
  ask: () => Promise.resolve(answers.ask),
  confirm: question => {
    log.push(`confirm ${question.title}`)
    return Promise.resolve(answers.confirm)
  },
  targets: command => Promise.resolve(command.entity ? context.targets(command.entity) : []),
  dryRun: () => Promise.reject(new Error('Nothing here is ordered')),
  preview: () => Promise.reject(new Error('Nothing here is previewed')),
  begin: () => ({
    services: {} as unknown as Services,
    end: ({ is }) => log.push(`ended ${is}`),
  }),
  blocked: reason => log.push(`blocked ${reason}`),
  finished: (_, message) => log.push(`finished ${message}`),
  failed: error => log.push(`failed ${errorMessages(error).join(' | ')}`),
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
const given = { input: { colour: 'blue' } }

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
    targets: targeting([device('a'), device('b')]),
    last: undefined,
  }
})

test('asks for what is missing, confirms, runs, reports', async () => {
  expect(await execute(host, paint)).toMatchObject({ is: 'done', outcome: { done: ['a', 'b'] } })
  expect(ran).toEqual([{ ids: ['a', 'b'], args: { colour: 'red' } }])
  expect(log).toEqual(['confirm Paint 2?', 'ended done', 'finished Painted 2 of 2'])
})

test('what is given is not asked for', async () => {
  answers.ask = undefined
  await execute(host, paint, given)
  expect(ran).toEqual([{ ids: ['a', 'b'], args: { colour: 'blue' } }])
})

describe('nothing runs', () => {
  test('for a role that may not', async () => {
    context = { ...context, role: 'vendor' }
    expect(await execute(host, paint, given)).toEqual({ is: 'stopped' })
    expect(log).toEqual([])
    expect(ran).toEqual([])
  })
  test('where it is blocked: the reason is said', async () => {
    context = { ...context, targets: targeting([]) }
    expect(await execute(host, paint, given)).toEqual({ is: 'stopped' })
    expect(log).toEqual(['blocked At least one device must be selected'])
    expect(ran).toEqual([])
  })
  test('when the person backs out of an argument', async () => {
    answers.ask = undefined
    expect(await execute(host, paint)).toEqual({ is: 'stopped' })
    expect(log).toEqual([])
    expect(ran).toEqual([])
  })
  test('when the answer is no', async () => {
    answers.confirm = false
    expect(await execute(host, paint, given)).toEqual({ is: 'stopped' })
    expect(log).toEqual(['confirm Paint 2?'])
    expect(ran).toEqual([])
  })
  test('with input that does not fit: the fields are named', async () => {
    expect(await execute(host, paint, { input: { colour: '' } })).toEqual({
      is: 'invalid',
      fields: { colour: 'Colour is required' },
    })
    expect(ran).toEqual([])
  })
  test('when someone else has signed in while it was asked', async () => {
    const changing: Host = {
      ...host,
      confirm: () => {
        context = { ...context, role: 'superadmin' }
        return Promise.resolve(true)
      },
    }
    expect(await execute(changing, paint, given)).toEqual({ is: 'stopped' })
    expect(ran).toEqual([])
  })
})

test('the target is fixed when it starts, whatever is selected meanwhile', async () => {
  const picked = [device('a'), device('b')]
  context = { ...context, targets: targeting(picked) }
  const slow: Host = {
    ...host,
    confirm: () => {
      picked.push(device('c'))
      context = { ...context, targets: targeting([device('d')]) }
      return Promise.resolve(true)
    },
  }
  await execute(slow, paint, given)
  expect(ran[0]?.ids).toEqual(['a', 'b'])
})

test('what failed stays selected and is remembered; a retry takes just that', async () => {
  const all = ['a', 'b', 'c'].map(device)
  selections.devices.add(all)
  context = { ...context, targets: targeting(all) }
  fails = ['b']
  await execute(host, paint, given)
  expect(selections.devices.items().map(({ id }) => id)).toEqual(['b'])
  expect(lastRun()).toMatchObject({ id: 'test.paint', input: given.input })
  expect(lastRun()?.failed.map(({ id }) => id)).toEqual(['b'])
  expect(log).toContain('finished Painted 2 of 3')

  // Something else is selected by now: the retry is still for what failed.
  fails = []
  context = { ...context, targets: targeting([device('z')]), last: lastRun() }
  await execute(
    host,
    repeatCommands.find(({ id }) => id === 'run.retry')!,
  )
  expect(ran[1]).toEqual({ ids: ['b'], args: given.input })
  expect(lastRun()?.failed).toEqual([])
})

test('repeating takes the same input to what is selected now', async () => {
  await execute(host, paint, given)
  context = { ...context, targets: targeting([device('z')]), last: lastRun() }
  await execute(
    host,
    repeatCommands.find(({ id }) => id === 'run.repeat')!,
  )
  expect(ran[1]).toEqual({ ids: ['z'], args: given.input })
})

test('a failed call is told, and progress ends', async () => {
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
  expect(log).toEqual(['ended failed', 'failed A, B | A,B'])
})

test('messages: a list joined first, then as it came; an error’s own', () => {
  expect(errorMessages(new ApiError(400, ['A', 'B']))).toEqual(['A, B', ['A', 'B']])
  expect(errorMessages(new ApiError(400, 'A'))).toEqual(['A'])
  expect(errorMessages(new Error('Plain'))).toEqual(['Plain'])
})

test('whoever tells of it knows its job, also where nothing can be undone; so does a retry', async () => {
  let told: string | undefined
  fails = ['b']
  const working: Host = {
    ...host,
    begin: () => ({ services: {} as unknown as Services, job: 'job 7', end: () => undefined }),
    finished: (_, __, ___, job) => (told = job),
  }
  await execute(working, paint, given)
  expect(told).toBe('job 7')
  expect(lastRun()?.job).toBe('job 7')
})

test('a run that is no job is told from any other as well', async () => {
  const told: (string | undefined)[] = []
  fails = ['b']
  const working: Host = { ...host, finished: (_, __, ___, job) => told.push(job) }
  await execute(working, paint, given)
  await execute(working, paint, given)
  const [first, second] = told
  expect(first).toBeDefined()
  expect(second).toBe(lastRun()?.job)
  expect(first).not.toBe(second)
})

describe('where somebody else signs in meanwhile', () => {
  beforeEach(() => {
    session.userId = 'ada'
    return () => void (session.userId = null)
  })

  test('what was asked is not done', async () => {
    const asking: Host = {
      ...host,
      confirm() {
        session.userId = 'bob'
        return Promise.resolve(true)
      },
    }
    expect(await execute(asking, paint, given)).toEqual({ is: 'stopped' })
    expect(ran).toEqual([])
  })

  test('what comes of it is told to nobody, and not at hand for a retry', async () => {
    const leaving = {
      ...paint,
      prepare: (...of: Parameters<typeof paint.prepare>) => leavingCall(paint.prepare(...of)),
    }
    expect(await execute(host, leaving, given)).toEqual({ is: 'stopped' })
    expect(ran).toHaveLength(1)
    expect(log.filter(line => line.startsWith('finished'))).toEqual([])
    expect(lastRun()).toBeUndefined()
  })
})

/** A call during which the person changes. */
const leavingCall = (call: ReturnType<typeof paint.prepare>): ReturnType<typeof paint.prepare> => ({
  ...call,
  run(services) {
    session.userId = 'bob'
    return call.run(services)
  },
})

test('a command is on the way until it asks, between what it asks, and until it runs', async () => {
  const at: [string, number][] = []
  const note = (where: string) => at.push([where, pendingCommands.count])
  const noting: Host = {
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
  await execute(noting, paint)
  expect(at).toEqual([
    ['targets', 1],
    ['ask', 0],
    ['confirm', 0],
    ['begin', 1],
    ['finished', 0],
  ])
  answers.ask = undefined
  await execute(noting, paint)
  await execute({ ...noting, targets: () => Promise.reject(new Error('Out of reach')) }, paint)
  expect(pendingCommands.count).toBe(0)
})

/** Putting back what a run replaced: by each one's own earlier values, in a run of its own. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { ApiError } from '../../../../src/api/errors.ts'
import type { BulkAnswer, PreviousValues } from '../../../../src/api/contract/endpoint.ts'
import { findCommand, commandOf, commands } from '../../../../src/commands/core/registry.ts'
import type { Command, ExecutionResult, BulkOperation, Services } from '../../../../src/commands/core/types.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { beginJob, endJob, recordOutcomes } from '../../../../src/commands/core/runs/jobRuns.ts'
import { forgetTargets, jobs, type Job } from '../../../../src/commands/core/runs/jobs.ts'
import { combineOperations } from '../../../../src/commands/core/execution/combineOperations.ts'
import { previousValues } from '../../../../src/commands/core/runs/previousValues.ts'
import { undoText } from '../../../../src/commands/jobs/undo.ts'
import { undoable, undoJob } from '../../../../src/commands/jobs/undoJob.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import type { DeviceItem } from '../../../../src/store/selection.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })

/** A run of a command on these devices, which is over and replaced that. */
function ran(id: CommandId, ids: readonly string[], before: readonly PreviousValues[]): Job {
  const command = commandOf(id)
  const job = beginJob({
    command: id,
    title: command.title,
    entity: command.entity ?? 'devices',
    targets: ids.map(device),
    input: {},
    skipped: [],
    again: undefined,
    inverse: command.undo,
  })
  endJob(job, { outcome: { done: ids, failed: [] }, before })
  return job
}

interface Sent {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}
let sent: Sent[]
let given: { command: Command; targets: readonly string[] }[]
let refuses: (id: string) => boolean

/** Runs what it is given as the host would, once it was agreed to. */
const services = {
  call: (({ path }: { path: string }, { body }: { body: { ids: string[] } }) => {
    sent.push({ path, body })
    const failed = body.ids.filter(refuses).map(id => ({ id, message: 'Device is offline' }))
    return Promise.resolve({ count: body.ids.length - failed.length, total: body.ids.length, failed })
  }) as unknown as Services['call'],
  async runCommand(command: Command, input: unknown, targets: readonly DeviceItem[]): Promise<ExecutionResult> {
    given.push({ command, targets: targets.map(({ id }) => id) })
    const on = () => targets
    const call = command.prepare({ ...currentContext(), targets: on as never }, input)
    const answer = await call.operation?.send(
      targets.map(({ id }) => id),
      { call: services.call, preview: false },
    )
    const refused = new Set(answer?.failed.map(({ id }) => id))
    const done = targets.map(({ id }) => id).filter(id => !refused.has(id))
    return { is: 'done', outcome: { done, failed: answer?.failed ?? [] } }
  },
} as unknown as Services

beforeEach(() => {
  sent = []
  given = []
  refuses = () => false
  jobs.list = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  jobs.list = []
  clearSession()
})

describe('a run is put back', () => {
  test('to each device’s own earlier value, by one command', async () => {
    const before = [
      { ids: ['a', 'c'], values: { locked: false } },
      { ids: ['b'], values: { locked: true } },
    ]
    const job = ran('device.lock', ['a', 'b', 'c'], before)
    expect(undoable(job)).toBe(true)
    await undoJob(job, services)
    expect(given.map(({ command, targets }) => [command.id, command.title, targets])).toEqual([
      ['run.undo', 'Undo “Lock”', ['a', 'c', 'b']],
    ])
    expect(sent).toEqual([
      { path: '/api/v3/devices/lock', body: { ids: ['a', 'c'], locked: false } },
      { path: '/api/v3/devices/lock', body: { ids: ['b'], locked: true } },
    ])
    expect(jobs.list[0]?.undone).toBe(true)
    expect(undoable(jobs.list[0]!)).toBe(false)
  })

  test('of accounts too: who was blocked before stays blocked', async () => {
    const before = [
      { ids: ['a'], values: { status: false } },
      { ids: ['b'], values: { status: true } },
    ]
    await undoJob(ran('vendors.block', ['a', 'b'], before), services)
    expect(sent).toEqual([
      { path: '/api/v3/vendors/change-status', body: { ids: ['a'], status: false } },
      { path: '/api/v3/vendors/change-status', body: { ids: ['b'], status: true } },
    ])
  })

  test('settings that were set alike go in one call, and only those that were set', async () => {
    const job = ran(
      'device.autoFlush',
      ['a', 'b', 'c'],
      [
        { ids: ['a'], values: { smart: null, duration: 18 } },
        { ids: ['b'], values: { smart: 'balanced', duration: 9 } },
        { ids: ['c'], values: { smart: null, duration: 18 } },
      ],
    )
    await undoJob(job, services)
    expect(sent.map(({ body }) => body)).toEqual([
      { ids: ['a', 'c'], smart: null, duration: 18 },
      { ids: ['b'], smart: 'balanced', duration: 9 },
    ])
  })

  test('what had nothing that can be put back is told, and the others are put back', async () => {
    const job = ran(
      'device.filtrationSystem',
      ['a', 'b'],
      [
        { ids: ['a'], values: { filtration_system: null } },
        { ids: ['b'], values: { filtration_system: 's1' } },
      ],
    )
    const ending = await undoJob(job, services)
    expect(sent.map(({ body }) => body)).toEqual([{ ids: ['a'], filtration_system: null }])
    expect(ending).toMatchObject({
      outcome: { done: ['a'], failed: [{ id: 'b', message: 'The previous values cannot be restored' }] },
    })
  })

  test('where none could be, it can be tried again', async () => {
    refuses = () => true
    const job = ran('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    await undoJob(job, services)
    expect(undoable(jobs.list[0]!)).toBe(true)
  })

  test('where some could not be, those can be tried again', async () => {
    refuses = id => id === 'b'
    const job = ran('device.lock', ['a', 'b'], [{ ids: ['a', 'b'], values: { locked: false } }])
    await undoJob(job, services)
    expect(jobs.list[0]?.undone).toBe(false)
    expect(undoable(jobs.list[0]!)).toBe(true)
    refuses = () => false
    await undoJob(job, services)
    expect(sent.map(({ body }) => body['ids'])).toEqual([['a', 'b'], ['b']])
    expect(jobs.list[0]?.undone).toBe(true)
  })

  test('while it is looked at, it can neither be undone again nor is it undone', async () => {
    const job = ran('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    let seen: unknown
    await undoJob(job, {
      ...services,
      runCommand: () => {
        seen = [undoable(job), jobs.list[0]?.undone]
        return Promise.resolve({ is: 'stopped' })
      },
    })
    expect(seen).toEqual([false, false])
    expect(undoable(job)).toBe(true)
  })

  test('what a run replaced before it broke off is put back, and nothing of a whole one twice', () => {
    const lock = { ...begun, targets: ['a', 'b'].map(device), inverse: commandOf('device.lock').undo }
    const told = { ids: ['a'], values: { locked: false } }
    const broken = beginJob(lock)
    recordOutcomes(broken, ['a'], [], [told])
    endJob(broken, { error: 'The server cannot be reached' })
    expect(undoable(broken)).toBe(true)
    expect(broken.detail.before).toEqual([told])

    const whole = beginJob(lock)
    recordOutcomes(whole, ['a'], [], [told])
    const other = { ids: ['b'], values: { locked: true } }
    endJob(whole, { outcome: { done: ['a', 'b'], failed: [] }, before: [told, other] })
    expect(whole.detail.before).toEqual([told, other])
  })

  test('devices that were deleted since are left out', async () => {
    const job = ran('device.lock', ['a', 'b'], [{ ids: ['a', 'b'], values: { locked: false } }])
    forgetTargets('devices', ['a'])
    await undoJob(job, services)
    expect(sent.map(({ body }) => body['ids'])).toEqual([['b']])
  })
})

describe('nothing to put back', () => {
  test('where cartridges were fitted anew: how far the earlier ones were used up is gone', () => {
    const of = (id: CommandId, values: PreviousValues['values']) => undoable(ran(id, ['a'], [{ ids: ['a'], values }]))
    expect(of('device.filtrationSystem', { filtration_system: 's1' })).toBe(false)
    expect(of('filtrationSystems.edit', { model: 'Old', cartridges: ['c'] })).toBe(false)
    expect(of('filtrationSystems.edit', { model: 'Old', group: null })).toBe(true)
  })

  test('where a command has no inverse, still runs, or replaced nothing', () => {
    expect(undoable(ran('device.flush', ['a'], []))).toBe(false)
    expect(undoable(ran('device.lock', ['a'], []))).toBe(false)
    const running = beginJob({ ...begun, inverse: commandOf('device.lock').undo })
    expect(undoable(running)).toBe(false)
  })
})
const begun = {
  command: 'device.lock',
  title: 'Lock',
  entity: 'devices',
  targets: [device('a')],
  input: {},
  skipped: [],
  again: undefined,
} as const

describe('the key', () => {
  const undo = () => commandOf('run.undo').availability(currentContext())
  const redo = () => commandOf('run.redo').availability(currentContext())
  const label = (id: CommandId) => commandOf(id).label(currentContext())

  test('undoes the latest that can be, and then goes further back', () => {
    expect(undo()).toEqual({ is: 'blocked', reason: 'Nothing to undo' })
    ran('device.uv', ['a'], [{ ids: ['a'], values: { mode: 1 } }])
    const lock = ran('device.lock', ['a', 'b'], [{ ids: ['a', 'b'], values: { locked: false } }])
    ran('device.flush', ['a'], [])
    expect(label('run.undo')).toBe('Undo “Lock” of 2 devices')
    lock.undone = true
    expect(label('run.undo')).toBe('Undo “UV module” of 1 device')
  })

  test('does not put back what was there before something that was replaced for good', () => {
    const system = (value: string | null, ids = ['a']) => [{ ids, values: { filtration_system: value } }]
    ran('device.filtrationSystem', ['a', 'b'], system(null, ['a', 'b']))
    ran('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    ran('device.filtrationSystem', ['a'], system('s1'))
    expect(label('run.undo')).toBe('Undo “Lock” of 1 device')
    jobs.list = jobs.list.filter(job => job.command !== 'device.lock')
    // Of those that it replaced nothing of, what was before still can be.
    expect(label('run.undo')).toBe('Undo “Filtration system” of 1 device')
    ran('device.filtrationSystem', ['b'], system('s1', ['b']))
    expect(undo().is).toBe('blocked')
  })

  test('what was undone can be done again, until something else is done', () => {
    expect(redo().is).toBe('blocked')
    const lock = ran('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    lock.undone = true
    const undoing = ran('run.undo', ['a'], [{ ids: ['a'], values: { locked: true } }])
    // Its inverse is that of what it undid.
    const input = { of: 'device.lock', title: 'Lock' }
    Object.assign(undoing.detail, { inverse: commandOf('device.lock').undo, input })
    expect(label('run.redo')).toBe('Redo “Lock” of 1 device')
    expect(undo().is).toBe('blocked')
    ran('device.uv', ['a'], [{ ids: ['a'], values: { mode: 0 } }])
    expect(redo().is).toBe('blocked')
    expect(label('run.undo')).toBe('Undo “UV module” of 1 device')
  })
})

test('law: put together, each id is sent once by the operation that it belongs to, or refused', async () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[a-f]{1,3}$/), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(ids, fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.boolean()), async (all, parts, lost) => {
      const calls: string[] = []
      const groups = Array.from({ length: parts }, (_, at) => ({
        // Every fifth belongs to none.
        ids: new Set(all.filter((_, place) => place % 5 !== 4 && place % parts === at)),
        operation: {
          send(some: readonly string[]) {
            if (lost.next().value) return Promise.reject(new ApiError(503, 'Gone'))
            calls.push(...some)
            return Promise.resolve<BulkAnswer>({ count: some.length, total: some.length, failed: [] })
          },
        } satisfies BulkOperation,
      }))
      const how = { call: services.call, preview: false }
      const answer = await combineOperations(groups, 'Not mine')
        .send(all, how)
        .catch((error: unknown) => error)
      // Where nothing at all was done, it is a plain error.
      if (answer instanceof ApiError) {
        expect(calls).toEqual([])
        return
      }
      const { count, failed } = answer as BulkAnswer
      expect(count).toBe(calls.length)
      expect([...calls, ...failed.map(({ id }) => id)].toSorted()).toEqual(all.toSorted())
    }),
    { numRuns: 60 },
  )
})

describe('a dry run of combined operations', () => {
  const refused = (status: number): BulkOperation => ({
    send: () => Promise.reject(new ApiError(status, 'No such model')),
  })
  const fine: BulkOperation = { send: ids => Promise.resolve({ count: ids.length, total: ids.length, failed: [] }) }
  const part = (id: string, operation: BulkOperation) => ({ ids: new Set([id]), operation })
  const how = { call: services.call, preview: true }

  test('one that would be refused is so many failures, and the others go on', async () => {
    const failed = [{ id: 'a', message: 'No such model' }]
    expect(await combineOperations([part('a', refused(404)), part('b', fine)], '').send(['a', 'b'], how)).toMatchObject(
      {
        count: 1,
        failed,
      },
    )
    expect(await combineOperations([part('a', refused(404))], '').send(['a'], how)).toMatchObject({ count: 0, failed })
  })

  test.for([0, 503])('that the server cannot tell is an error: %i', async status => {
    await expect(
      combineOperations([part('b', fine), part('a', refused(status))], '').send(['a', 'b'], how),
    ).rejects.toThrow('No such model')
  })
})

describe('what is said beforehand', () => {
  test('of everything that changes something, whether it can be undone', () => {
    expect(undoText(commandOf('device.lock'))).toBe('Z undoes it')
    expect(undoText(commandOf('device.flush'))).toBe('Can’t be undone')
    expect(undoText(commandOf('device.filtrationSystem'))).toBe('Z undoes it, but not for devices that already had one')
    expect(undoText(commandOf('filtrationSystems.assign'))).toBe('Z undoes it')
    expect(undoText(commandOf('device.open'))).toBeUndefined()
    expect(undoText(commandOf('device.upload'))).toBeUndefined()
    expect(undoText(commandOf('list.sort'))).toBeUndefined()
  })

  test('law: what can be undone is put back by a command that there is, for the same things', () => {
    const earlier: Readonly<Record<string, PreviousValues['values']>> = {
      'device.lock': { locked: true },
      'device.unlock': { locked: false },
      'admins.block': { status: false },
      'filtrationSystems.assign': { vendor: 'v' },
    }
    const inverses = commands.flatMap(command => {
      const doing = command.undo?.(earlier[command.id] ?? {})
      return doing ? [{ command, doing }] : []
    })
    expect(inverses.length).toBeGreaterThan(15)
    for (const { command, doing } of inverses) {
      const back = findCommand(doing.id)
      expect(back?.entity, command.id).toBe(command.entity)
      expect(back?.undo, command.id).toBeDefined()
      expect(back?.roles, command.id).toEqual(command.roles)
    }
  })

  test('an edit replaces what it changes', () => {
    expect(previousValues('x', { name: 'New', note: undefined }, { name: 'Old', note: 'n', other: 1 })).toEqual([
      { ids: ['x'], values: { name: 'Old' } },
    ])
  })
})

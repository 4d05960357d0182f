/** Undoing a run restores the previous values of each target, in a run of its own. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { ApiError } from '../../../../src/api/errors.ts'
import type { BulkResponse, PreviousValues } from '../../../../src/api/contract/endpoint.ts'
import { findCommand, commandOf, commands } from '../../../../src/commands/core/registry.ts'
import type { Command, ExecutionResult, CallOperation, Services } from '../../../../src/commands/core/types.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { deselectDone } from '../../../../src/commands/core/runs/earlierSelection.ts'
import { beginJob, endJob, recordOutcomes } from '../../../../src/commands/core/runs/jobRuns.ts'
import { forgetTargets, jobs, type Job } from '../../../../src/commands/core/runs/jobs.ts'
import { combineOperations } from '../../../../src/commands/core/execution/combineOperations.ts'
import { previousValues } from '../../../../src/commands/core/runs/previousValues.ts'
import { undoText } from '../../../../src/commands/jobs/undo.ts'
import { undoable, undoJob } from '../../../../src/commands/jobs/undoJob.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { selections, type DeviceItem } from '../../../../src/store/selection.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })

/** Returns an ended run of a command on these devices with these previous values. */
function endedRun(id: CommandId, ids: readonly string[], before: readonly PreviousValues[]): Job {
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
let runs: { command: Command; targets: readonly string[] }[]
let refuses: (id: string) => boolean

/** Runs commands as the host would after approval. */
const services = {
  call: (({ path }: { path: string }, { body }: { body: { ids: string[] } }) => {
    sent.push({ path, body })
    const failed = body.ids.filter(refuses).map(id => ({ id, message: 'Device is offline' }))
    return Promise.resolve({ count: body.ids.length - failed.length, total: body.ids.length, failed })
  }) as unknown as Services['call'],
  async runCommand(command: Command, input: unknown, targets: readonly DeviceItem[]): Promise<ExecutionResult> {
    runs.push({ command, targets: targets.map(({ id }) => id) })
    const on = () => targets
    const call = command.prepare({ ...currentContext(), targets: on as never }, input)
    const answer = await call.operation?.send?.(
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
  runs = []
  refuses = () => false
  jobs.list = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  jobs.list = []
  clearSession()
})

describe('undoing a run', () => {
  test('restores the previous value of each device, with one command', async () => {
    const before = [
      { ids: ['a', 'c'], values: { locked: false } },
      { ids: ['b'], values: { locked: true } },
    ]
    const job = endedRun('device.lock', ['a', 'b', 'c'], before)
    expect(undoable(job)).toBe(true)
    await undoJob(job, services)
    expect(runs.map(({ command, targets }) => [command.id, command.title, targets])).toEqual([
      ['run.undo', 'Undo “Lock”', ['a', 'c', 'b']],
    ])
    expect(sent).toEqual([
      { path: '/api/v3/devices/lock', body: { ids: ['a', 'c'], locked: false } },
      { path: '/api/v3/devices/lock', body: { ids: ['b'], locked: true } },
    ])
    expect(jobs.list[0]?.undone).toBe(true)
    expect(undoable(jobs.list[0]!)).toBe(false)
  })

  test('restores the status of accounts: one that was blocked before stays blocked', async () => {
    const before = [
      { ids: ['a'], values: { status: false } },
      { ids: ['b'], values: { status: true } },
    ]
    await undoJob(endedRun('vendors.block', ['a', 'b'], before), services)
    expect(sent).toEqual([
      { path: '/api/v3/vendors/change-status', body: { ids: ['a'], status: false } },
      { path: '/api/v3/vendors/change-status', body: { ids: ['b'], status: true } },
    ])
  })

  test('sends equal previous settings in one call, and only those that were changed', async () => {
    const job = endedRun(
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

  test('reports targets that cannot be restored, and restores the others', async () => {
    const job = endedRun(
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

  test('can be tried again if all targets failed', async () => {
    refuses = () => true
    const job = endedRun('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    await undoJob(job, services)
    expect(undoable(jobs.list[0]!)).toBe(true)
  })

  test('can be tried again for the targets that failed', async () => {
    refuses = id => id === 'b'
    const job = endedRun('device.lock', ['a', 'b'], [{ ids: ['a', 'b'], values: { locked: false } }])
    await undoJob(job, services)
    expect(jobs.list[0]?.undone).toBe(false)
    expect(undoable(jobs.list[0]!)).toBe(true)
    refuses = () => false
    await undoJob(job, services)
    expect(sent.map(({ body }) => body['ids'])).toEqual([['a', 'b'], ['b']])
    expect(jobs.list[0]?.undone).toBe(true)
  })

  test('cannot be started twice while its preview is open', async () => {
    const job = endedRun('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
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

  test('restores what a failed run had changed, and records no previous value twice', () => {
    const lock = { ...lockStart, targets: ['a', 'b'].map(device), inverse: commandOf('device.lock').undo }
    const recorded = { ids: ['a'], values: { locked: false } }
    const broken = beginJob(lock)
    recordOutcomes(broken, ['a'], [], [recorded])
    endJob(broken, { error: 'The server cannot be reached' })
    expect(undoable(broken)).toBe(true)
    expect(broken.detail.before).toEqual([recorded])

    const whole = beginJob(lock)
    recordOutcomes(whole, ['a'], [], [recorded])
    const other = { ids: ['b'], values: { locked: true } }
    endJob(whole, { outcome: { done: ['a', 'b'], failed: [] }, before: [recorded, other] })
    expect(whole.detail.before).toEqual([recorded, other])
  })

  test('leaves out devices that were deleted since', async () => {
    const job = endedRun('device.lock', ['a', 'b'], [{ ids: ['a', 'b'], values: { locked: false } }])
    forgetTargets('devices', ['a'])
    await undoJob(job, services)
    expect(sent.map(({ body }) => body['ids'])).toEqual([['b']])
  })
})

describe('a run cannot be undone', () => {
  test('if it replaced cartridges, because the wear of the old ones is lost', () => {
    const of = (id: CommandId, values: PreviousValues['values']) =>
      undoable(endedRun(id, ['a'], [{ ids: ['a'], values }]))
    expect(of('device.filtrationSystem', { filtration_system: 's1' })).toBe(false)
    expect(of('filtrationSystems.edit', { model: 'Old', cartridges: ['c'] })).toBe(false)
    expect(of('filtrationSystems.edit', { model: 'Old', group: null })).toBe(true)
  })

  test('if its command has no inverse, it still runs, or it changed nothing', () => {
    expect(undoable(endedRun('device.flush', ['a'], []))).toBe(false)
    expect(undoable(endedRun('device.lock', ['a'], []))).toBe(false)
    const running = beginJob({ ...lockStart, inverse: commandOf('device.lock').undo })
    expect(undoable(running)).toBe(false)
  })
})
const lockStart = {
  command: 'device.lock',
  title: 'Lock',
  entity: 'devices',
  targets: [device('a')],
  input: {},
  skipped: [],
  again: undefined,
} as const

describe('the undo and redo commands', () => {
  const undo = () => commandOf('run.undo').availability(currentContext())
  const redo = () => commandOf('run.redo').availability(currentContext())
  const label = (id: CommandId) => commandOf(id).label(currentContext())

  test('undo the latest run, and once that is undone an earlier one', () => {
    expect(undo()).toEqual({ is: 'blocked', reason: 'Nothing to undo' })
    endedRun('device.uv', ['a'], [{ ids: ['a'], values: { mode: 1 } }])
    const lock = endedRun('device.lock', ['a', 'b'], [{ ids: ['a', 'b'], values: { locked: false } }])
    expect(label('run.undo')).toBe('Undo “Lock” of 2 devices')
    lock.undone = true
    expect(label('run.undo')).toBe('Undo “UV module” of 1 device')
  })

  test('do not undo an earlier run in place of the latest one', () => {
    endedRun('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    endedRun('device.flush', ['a'], [])
    expect(undo()).toEqual({ is: 'blocked', reason: '“Flush” can’t be undone' })
    const running = beginJob({ ...lockStart, inverse: commandOf('device.lock').undo })
    expect(undo()).toEqual({ is: 'blocked', reason: '“Lock” is still running' })
    endJob(running, { error: 'Out of reach' })
    expect(undo()).toEqual({ is: 'blocked', reason: '“Lock” changed nothing' })
  })

  test('select again what was selected before the latest run, if that cannot be undone', async () => {
    const all = ['a', 'b', 'c'].map(device)
    selections.devices.replace(all, ['page 1'])
    const flush = endedRun('device.flush', ['a', 'b', 'c'], [])
    deselectDone('devices', flush.id, ['a', 'b'], ['c'])
    expect(label('run.undo')).toBe('Restore selection before “Flush”')
    await commandOf('run.undo').prepare(currentContext(), {}).run(services)
    expect(selections.devices.items()).toEqual([all[2], all[0], all[1]])
    expect(undo().is).toBe('blocked')
    selections.devices.clear()
  })

  test('count as changes of the selection until they have ended', async () => {
    for (const id of ['run.undo', 'run.redo', 'run.undoJob', 'job.undo'] as const)
      expect(commandOf(id).selection, id).toBe('changes')
    const lock = endedRun('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    jobs.view.job = lock.id
    await commandOf('job.undo')
      .prepare({ ...currentContext(), path: '/jobs' }, {})
      .run(services)
    expect(jobs.list[0]?.undone).toBe(true)
  })

  test('do not undo a run whose values a later run replaced irreversibly', () => {
    const system = (value: string | null, ids = ['a']) => [{ ids, values: { filtration_system: value } }]
    endedRun('device.filtrationSystem', ['a', 'b'], system(null, ['a', 'b']))
    endedRun('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    endedRun('device.filtrationSystem', ['a'], system('s1'))
    expect(undo()).toEqual({ is: 'blocked', reason: '“Change filtration system” can’t be undone' })
    jobs.list = [jobs.list[2]!]
    // The run can still be undone for the devices that the later run did not change.
    expect(label('run.undo')).toBe('Undo “Change filtration system” of 1 device')
    endedRun('device.filtrationSystem', ['b'], system('s1', ['b']))
    expect(undo().is).toBe('blocked')
  })

  test('redo an undone run until another run', () => {
    expect(redo().is).toBe('blocked')
    const lock = endedRun('device.lock', ['a'], [{ ids: ['a'], values: { locked: false } }])
    lock.undone = true
    const undoing = endedRun('run.undo', ['a'], [{ ids: ['a'], values: { locked: true } }])
    // Its inverse is that of the run that it undid.
    const input = { of: 'device.lock', title: 'Lock' }
    Object.assign(undoing.detail, { inverse: commandOf('device.lock').undo, input })
    expect(label('run.redo')).toBe('Redo “Lock” of 1 device')
    expect(undo().is).toBe('blocked')
    endedRun('device.uv', ['a'], [{ ids: ['a'], values: { mode: 0 } }])
    expect(redo().is).toBe('blocked')
    expect(label('run.undo')).toBe('Undo “UV module” of 1 device')
  })
})

test('law: combined operations send each id once with its own operation, or fail it', async () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[a-f]{1,3}$/), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(ids, fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.boolean()), async (all, parts, lost) => {
      const calls: string[] = []
      const groups = Array.from({ length: parts }, (_, at) => ({
        // Every fifth id belongs to no operation.
        ids: new Set(all.filter((_, place) => place % 5 !== 4 && place % parts === at)),
        operation: {
          send(some: readonly string[]) {
            if (lost.next().value) return Promise.reject(new ApiError(503, 'Gone'))
            calls.push(...some)
            return Promise.resolve<BulkResponse>({ count: some.length, total: some.length, failed: [] })
          },
        } satisfies CallOperation,
      }))
      const how = { call: services.call, preview: false }
      const answer = await combineOperations(groups, 'Not mine')
        .send(all, how)
        .catch((error: unknown) => error)
      // If no id succeeded, the result is an error.
      if (answer instanceof ApiError) {
        expect(calls).toEqual([])
        return
      }
      const { count, failed } = answer as BulkResponse
      expect(count).toBe(calls.length)
      expect([...calls, ...failed.map(({ id }) => id)].toSorted()).toEqual(all.toSorted())
    }),
    { numRuns: 60 },
  )
})

describe('a dry run of combined operations', () => {
  const refused = (status: number): CallOperation => ({
    send: () => Promise.reject(new ApiError(status, 'No such model')),
  })
  const fine: CallOperation = { send: ids => Promise.resolve({ count: ids.length, total: ids.length, failed: [] }) }
  const part = (id: string, operation: CallOperation) => ({ ids: new Set([id]), operation })
  const how = { call: services.call, preview: true }

  test('reports the ids of a refused operation as failed, and continues with the others', async () => {
    const failed = [{ id: 'a', message: 'No such model' }]
    expect(await combineOperations([part('a', refused(404)), part('b', fine)], '').send(['a', 'b'], how)).toMatchObject(
      {
        count: 1,
        failed,
      },
    )
    expect(await combineOperations([part('a', refused(404))], '').send(['a'], how)).toMatchObject({ count: 0, failed })
  })

  test.for([0, 503])('rejects if the server cannot answer: %i', async status => {
    await expect(
      combineOperations([part('b', fine), part('a', refused(status))], '').send(['a', 'b'], how),
    ).rejects.toThrow('No such model')
  })
})

describe('the undo text of commands', () => {
  test('says for each command that changes data whether it can be undone', () => {
    expect(undoText(commandOf('device.lock'))).toBe('Undo with z')
    expect(undoText(commandOf('device.flush'))).toBe('Can’t be undone')
    expect(undoText(commandOf('device.filtrationSystem'))).toBe('Undo with z, but not for devices that already had one')
    expect(undoText(commandOf('filtrationSystems.assign'))).toBe('Undo with z')
    expect(undoText(commandOf('device.open'))).toBeUndefined()
    expect(undoText(commandOf('device.upload'))).toBeUndefined()
    expect(undoText(commandOf('list.sort'))).toBeUndefined()
  })

  test('law: every inverse is an existing command for the same entity and roles', () => {
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

  test('previousValues returns the old values of the changed fields only', () => {
    expect(previousValues('x', { name: 'New', note: undefined }, { name: 'Old', note: 'n', other: 1 })).toEqual([
      { ids: ['x'], values: { name: 'Old' } },
    ])
  })
})

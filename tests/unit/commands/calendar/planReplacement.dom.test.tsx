/** Planning replacements: what the preview lists, which events are created, failures, and what undoes them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { events } from '../../../../src/api/contract/events.ts'
import { health } from '../../../../src/api/contract/health/endpoints.ts'
import type { DueDevice } from '../../../../src/api/contract/health/plan.ts'
import { ApiError } from '../../../../src/api/errors.ts'
import { currentContext, withTargets } from '../../../../src/commands/core/context.ts'
import { planChanges } from '../../../../src/commands/core/execution/planChanges.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { OwnOperation, Services } from '../../../../src/commands/core/types.ts'
import { previewRows } from '../../../../src/commands/jobs/previewRows.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import type { DeviceItem } from '../../../../src/store/selection.ts'
import '../../support/allCommands.ts'

const signal = new AbortController().signal
const progress = { signal, report: () => undefined }
const item = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const contextOf = (...ids: readonly string[]) => withTargets(currentContext(), 'devices', ids.map(item))
const at = (days: number) => new Date(Date.now() + days * msPerDay).toISOString()
const due = (bssid: string, supply: string, days = 20, planned_at: string | null = null): DueDevice => ({
  bssid,
  vendor: { _id: 'v', company_name: 'Fjordvann AS' },
  water_supply: supply,
  cartridges: [
    {
      bssid,
      position: 0,
      model: 'CTO-10',
      due_at: at(days),
      early_at: at(days - 5),
      late_at: at(days + 5),
      planned_at,
    },
  ],
})
const stored = [due('A', 'Harbour'), due('B', 'Harbour'), due('C', 'Hill'), due('D', 'Hill', 20, at(19))]
let created: { readonly title: string; readonly devices: readonly string[] }[]
let refused: string | undefined
const asked = vi.fn<(devices: string) => void>()
const call = ((endpoint: unknown, input: { query: { devices: string }; body: (typeof created)[number] }) => {
  if (endpoint === health.planOfDevices) {
    asked(input.query.devices)
    const ids = new Set(input.query.devices.split(','))
    return Promise.resolve(stored.filter(({ bssid }) => ids.has(bssid)))
  }
  if (endpoint !== events.create) throw new Error('Another call')
  if (refused !== undefined && input.body.title.includes(refused)) throw new ApiError(500, 'The server answered 500')
  created.push(input.body)
  return Promise.resolve({ _id: `event ${created.length}` })
}) as unknown as Services['call']

const command = commandOf('device.planReplacement')
function ownOperation(...ids: readonly string[]): OwnOperation {
  const { operation } = command.prepare(contextOf(...ids), {})
  if (!operation?.own) throw new Error('It has no operation of its own')
  return operation.own
}

beforeEach(() => {
  created = []
  refused = undefined
  asked.mockReset()
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'vendor', login: 'vendor' })
})
afterEach(clearSession)

test('the preview lists the visits, and then the devices without one by reason', async () => {
  const ids = ['A', 'B', 'C', 'D', 'E']
  const plan = await ownOperation(...ids).plan(ids, { call, signal })
  expect(plan.affected.toSorted()).toEqual(['A', 'B', 'C'])
  expect(plan.skipped).toEqual([
    { id: 'D', message: 'Has an event already' },
    { id: 'E', message: 'Device not found' },
  ])
  expect(plan.groups!.map(({ detail, size }) => `${detail}: ${size}`).toSorted()).toEqual([
    'Harbour · Fjordvann AS: 2 devices',
    'Hill · Fjordvann AS: 1 device',
  ])
  expect(plan.groups![0]!.note).toMatch(/^Week \d+$/)
  expect(plan.groups![0]!.name).toMatch(/^\w{3}, \w{3} \d+.*, 09:00$/)
  const rows = previewRows(command, ids.map(item), plan, [])
  const textOf = (row: (typeof rows)[number]) =>
    'heading' in row ? row.heading : 'group' in row ? row.group.size : [row.name, row.detail].join(' ')
  expect(rows.map(textOf)).toEqual([
    'Will be visited',
    '2 devices',
    'A Cartridge 1: CTO-10',
    'B Cartridge 1: CTO-10',
    '1 device',
    'C Cartridge 1: CTO-10',
    'Skipped: Has an event already',
    'D C · Ready',
    'Skipped: Device not found',
    'E C · Ready',
  ])
  expect(created).toEqual([])
})

test('a preview whose visits have changed is shown again', () => {
  const plan = {
    affected: ['A'],
    skipped: [],
    groups: [{ name: 'Wed', note: 'Week 10', detail: 'Harbour', size: '1 device', members: [] }],
  }
  expect(planChanges(plan, plan)).toEqual([])
  const later = { ...plan, groups: [{ ...plan.groups[0]!, note: 'Week 11' }] }
  expect(planChanges(plan, later)).toMatchObject([{ text: 'The list below has changed' }])
})

test('an event is created for each visit, from which undo deletes it and redo creates it again', async () => {
  const outcome = await ownOperation('A', 'B', 'C').carryOut(['A', 'B', 'C'], { call, progress })
  expect(outcome.done.toSorted()).toEqual(['A', 'B', 'C'])
  expect(created.map(({ devices }) => devices.toSorted().join(' ')).toSorted()).toEqual(['A B', 'C'])
  const harbour = outcome.before!.find(({ ids }) => ids.includes('A'))!
  const remove = command.undo!(harbour.values)!
  expect(remove).toEqual({ id: 'calendar.removeVisit', input: harbour.values })
  const deleted = vi.fn<(...args: unknown[]) => Promise<object>>().mockResolvedValue({})
  const result = await commandOf('calendar.removeVisit')
    .prepare(contextOf('A', 'B'), remove.input)
    .run({ call: deleted } as unknown as Services)
  expect(deleted).toHaveBeenCalledWith(events.delete, { params: { id: harbour.values['event'] } })
  const { before } = result as { before: (typeof outcome)['before'] }
  const { event: _, ...visit } = harbour.values
  expect(before).toEqual([{ ids: ['A', 'B'], values: visit }])
  const restore = command.undo!(before![0]!.values)!
  expect(restore).toEqual({ id: 'calendar.restoreVisit', input: visit })
  await commandOf('calendar.restoreVisit')
    .prepare(contextOf('A', 'B'), restore.input)
    .run({ call } as unknown as Services)
  expect(created.at(-1)).toEqual({ ...visit, devices: ['A', 'B'] })
})

test('an event that is refused fails its own devices only; without any, the command fails', async () => {
  refused = 'Hill'
  const outcome = await ownOperation('A', 'B', 'C').carryOut(['A', 'B', 'C'], { call, progress })
  expect(outcome.done.toSorted()).toEqual(['A', 'B'])
  expect(outcome.failed).toEqual([{ id: 'C', message: 'The server answered 500' }])
  refused = 'cartridge'
  await expect(ownOperation('A').carryOut(['A'], { call, progress })).rejects.toThrow('The server answered 500')
})

test('what is due is asked for at most 500 devices at a time', async () => {
  const ids = Array.from({ length: 1201 }, (_, index) => `X${index}`)
  const plan = await ownOperation(...ids).plan(ids, { call, signal })
  expect(plan.skipped).toHaveLength(1201)
  expect(asked.mock.calls.map(([devices]) => devices.split(',').length)).toEqual([500, 500, 201])
})

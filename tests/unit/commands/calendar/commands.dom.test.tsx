/** The arguments of a new event, and how its form keeps typed values. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as plan from '../../../../src/api/health/plan.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { InvalidInput } from '../../../../src/commands/core/invalidInput.ts'
import type { Context, Targets } from '../../../../src/commands/core/context.ts'
import { controlOf, enteredValue } from '../../../../src/commands/core/fields.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { jobs } from '../../../../src/commands/core/runs/jobs.ts'
import { suggestionId } from '../../../../src/commands/calendar/suggestionIds.ts'
import { undoable } from '../../../../src/commands/jobs/undoJob.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import type { Visit } from '../../../../src/domain/calendar/visits.ts'
import { localText } from '../../../../src/domain/calendar/days.ts'
import { systemTimeZone } from '../../../../src/domain/systemTimeZone.ts'
import { keepDuration } from '../../../../src/screens/calendar/draft.ts'
import { calendar, resetCalendar } from '../../../../src/store/calendar.ts'
import { clearSelections, selections, unreadMatch, type DeviceItem } from '../../../../src/store/selection.ts'
import { bssidOf, fleetDevice, serveFleet } from '../../support/fleet.ts'

const create = commandOf('calendar.create')
const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const contextWith = (...devices: readonly DeviceItem[]): Context => ({
  role: 'vendor',
  path: '/calendar',
  list: undefined,
  targets: ((entity: string) => (entity === 'devices' ? devices : [])) as Targets,
  last: undefined,
})
const event = {
  title: 'Service',
  description: '',
  start: '2026-03-03T08:00:00.000Z',
  end: '2026-03-03T09:00:00.000Z',
}
const problemsOf = (input: unknown): Readonly<Record<string, string>> => {
  try {
    create.prepare(contextWith(device('A')), input)
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields
    throw error
  }
  return {}
}

test('waits for a selection that is still on its way, because the event is for the selected devices', () =>
  expect(create.selection).toBe('reads'))

beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: false })))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  resetCalendar()
  clearSelections()
})

describe('a new event', () => {
  test('needs a selected device', () => {
    expect(create.availability(contextWith())).toEqual({
      is: 'blocked',
      reason: 'To create an event, first select at least one device.',
    })
    expect(create.availability(contextWith(device('A')))).toEqual({ is: 'ready' })
  })

  test('needs no selected device if its form has some, as that of a suggested visit', () => {
    calendar.draft = { devices: [{ value: 'A', name: 'A' }] }
    expect(create.availability(contextWith())).toEqual({ is: 'ready' })
    expect(create.availability({ ...contextWith(), path: '/devices' })).toMatchObject({ is: 'blocked' })
    calendar.draft = { devices: [] }
    expect(create.availability(contextWith())).toMatchObject({ is: 'blocked' })
  })

  test('whose form has just the selected devices gets them, as they are not in its input', async () => {
    calendar.draft = { devices: [{ value: 'A', name: 'A' }] }
    const call = vi.fn<(endpoint: unknown, input: { body: { devices: string[] } }) => Promise<object>>()
    call.mockResolvedValue({ _id: '1' })
    await create.prepare(contextWith(device('A')), event).run({ call } as unknown as Services)
    expect(call.mock.lastCall?.[1].body.devices).toEqual(['A'])
  })

  test('reports invalid input at its fields', () => {
    expect(problemsOf(event)).toEqual({})
    expect(problemsOf({ ...event, devices: [] })).toEqual({ devices: 'At least one device must be selected' })
    expect(problemsOf({ ...event, title: ' ' })).toEqual({ title: 'Title is required' })
    expect(problemsOf({ ...event, start: undefined })).toEqual({ start: 'Start is required' })
    expect(problemsOf({ ...event, end: '2026-03-03T07:59:00.000Z' })).toEqual({
      end: 'End must not be before the start',
    })
    expect(problemsOf({ ...event, end: event.start })).toEqual({})
    expect(problemsOf({ title: '', start: event.end, end: event.start })).toMatchObject({
      title: 'Title is required',
      end: 'End must not be before the start',
    })
  })

  test('can be undone, which deletes it', async () => {
    const call = vi.fn<(...args: unknown[]) => Promise<object>>().mockResolvedValue({ _id: '1' })
    const input = { ...event, devices: ['A', 'C'] }
    const result = await create.prepare(contextWith(device('A')), input).run({ call } as unknown as Services)
    const job = jobs.list.find(({ id }) => typeof result === 'object' && 'job' in result && id === result.job)!
    expect(job).toMatchObject({ title: 'Create event', state: 'done', done: 2 })
    expect(job.detail.targets.map(({ id }) => id)).toEqual(['A', 'C'])
    expect(undoable(job)).toBe(true)
    const [{ ids, values }] = job.detail.before as [(typeof job.detail.before)[number]]
    expect(ids).toEqual(['A', 'C'])
    expect(job.detail.inverse!(values)).toEqual({ id: 'calendar.removeVisit', input: { ...event, event: '1' } })
  })

  test('has the selected devices unless others are given, each once', async () => {
    const call = vi.fn<(endpoint: unknown, input: { body: { devices: string[] } }) => Promise<{ _id: string }>>()
    call.mockResolvedValue({ _id: '1' })
    const devicesAfter = async (input: object) => {
      const message = await create.prepare(contextWith(device('A'), device('B')), { ...event, ...input }).run({
        call,
      } as unknown as Services)
      expect(message).toMatchObject({ message: 'Created Service' })
      return call.mock.lastCall?.[1].body.devices
    }
    expect(await devicesAfter({})).toEqual(['A', 'B'])
    expect(await devicesAfter({ devices: ['C', 'C', 'A'] })).toEqual(['C', 'A'])
    expect(calendar.date).toBe('2026-03-03')
  })

  test('has all current matches of a followed selection, not only the rows that the list shows', async () => {
    serveFleet(() => [0, 1, 2, 3].map(at => fleetDevice(at)))
    selections.devices.follow({ search: '', column: undefined, operator: 'co' }, 3)
    const call = vi.fn<(endpoint: unknown, input: { body: { devices: string[] } }) => Promise<object>>()
    call.mockResolvedValue({ _id: '1' })
    const services = { call, progress: { report: () => undefined, signal: new AbortController().signal } }
    await create.prepare(contextWith(device(bssidOf(0)), unreadMatch, unreadMatch), event).run(services as never)
    expect(call.mock.lastCall?.[1].body.devices).toEqual([0, 1, 2, 3].map(bssidOf))
    expect(jobs.list[0]!.detail.targets.map(({ id }) => id)).toEqual([0, 1, 2, 3].map(bssidOf))
  })
})

describe('a time field', () => {
  const control = controlOf(create.fields.find(field => field.name === 'start')!)
  const entered = (text: string) => enteredValue(control, text, defaultUnits)

  test('reads local time', () => {
    expect(control).toEqual({ kind: 'time' })
    const typed = entered('2026-03-03T09:30')
    expect(localText(systemTimeZone(), Date.parse(String(typed)))).toBe('2026-03-03T09:30')
    expect(entered(event.start)).toBe(event.start)
  })

  test('leaves invalid times to the schema', () => {
    expect(entered('')).toBeUndefined()
    expect(entered('soon')).toBe('soon')
  })
})

describe('the draft of a new event', () => {
  const suggested = { start: '2026-03-03T09:00', end: '2026-03-03T10:30' }

  test('keeps its duration when the start changes', () => {
    expect(keepDuration(suggested, {}, { start: '2026-03-04T23:00' })).toEqual({
      start: '2026-03-04T23:00',
      end: new Date(2026, 2, 5, 0, 30).toISOString(),
    })
  })

  test('changes its duration when the end changes or the start is invalid', () => {
    expect(keepDuration(suggested, {}, { end: '2026-03-03T11:00' })).toEqual({ end: '2026-03-03T11:00' })
    expect(keepDuration(suggested, {}, { start: '' })).toEqual({ start: '' })
    expect(keepDuration(suggested, { start: '2026-03-04T23:00' }, { start: '2026-03-04T23:00', title: 'A' })).toEqual({
      start: '2026-03-04T23:00',
      title: 'A',
    })
  })

  test('is kept except for its times when another slot is chosen', async () => {
    calendar.draft = { title: 'Service', start: '2026-03-04T23:00', end: '2026-03-05T00:30' }
    const newAt = commandOf('calendar.newAt')
    await newAt
      .prepare(contextWith(), { day: '2026-03-06', minutes: 14 * 60 })
      .run({ go: () => undefined } as unknown as Services)
    expect(calendar.draft).toEqual({ title: 'Service' })
    expect(calendar.suggestedSpan).toEqual({
      start: new Date(2026, 2, 6, 14).toISOString(),
      end: new Date(2026, 2, 6, 15).toISOString(),
    })
  })

  test('is not kept for another event as far as a suggestion has filled it in', async () => {
    const at = '2026-03-09T08:00:00.000Z'
    const visit: Visit = {
      vendor: { _id: 'v', company_name: 'Fjordvann AS' },
      water_supply: 'Harbour main',
      at,
      until: '2026-03-09T09:00:00.000Z',
      cartridges: [{ bssid: 'A', position: 1, model: 'PP-5', due_at: at, early_at: at, late_at: at }],
      count: 1,
      part: 1,
      parts: 1,
    }
    vi.spyOn(plan, 'cachedPlan').mockReturnValue([visit])
    const services = { go: () => undefined } as unknown as Services
    const open = () =>
      commandOf('calendar.open')
        .prepare(contextWith(), { event: suggestionId(visit) })
        .run(services)
    await open()
    expect(calendar.draft).toMatchObject({ title: expect.stringContaining('Harbour main'), devices: [{ value: 'A' }] })
    await commandOf('calendar.new').prepare(contextWith(), {}).run(services)
    expect(calendar.draft).toEqual({})

    await open()
    calendar.draft = { ...calendar.draft, description: 'Bring a ladder' }
    await commandOf('calendar.new').prepare(contextWith(), {}).run(services)
    expect(calendar.draft).toEqual({ description: 'Bring a ladder' })
  })
})

/** Cached events, the target of calendar commands, and requests for many selected devices. */
import { cleanup, render, renderHook, screen } from '@testing-library/react'
import { mutate } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCache } from '../../../../src/api/cache.ts'
import type { Event } from '../../../../src/api/contract/events.ts'
import { health } from '../../../../src/api/contract/health/endpoints.ts'
import { jobs } from '../../../../src/api/contract/jobs.ts'
import {
  cachedEvent,
  eventsWithDevices,
  prefetchEvents,
  useEvents,
  type EventQuery,
} from '../../../../src/api/events.ts'
import { jobEventId } from '../../../../src/commands/calendar/jobEvents.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { ReferenceField } from '../../../../src/commands/surfaces/forms/ReferenceField.tsx'
import { useVisibleEvents } from '../../../../src/screens/calendar/useVisibleEvents.ts'
import { calendar, resetCalendar } from '../../../../src/store/calendar.ts'
import { selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { until } from '../../../support/until.ts'

const event = (id: string, day: string, device = 'A'): Event => ({
  _id: id,
  title: id,
  description: '',
  start: `${day}T08:00:00.000Z`,
  end: `${day}T09:00:00.000Z`,
  devices: [device],
  device_count: 1,
  created_by: '1',
})
const march: EventQuery = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' }
const spring: EventQuery = { from: '2026-03-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' }

let storedEvents: Event[]
let scheduled: object[]
/** Due cartridges that no suggested visit has. */
let dueLater = 0
let requests: URL[]
const select = (count: number) =>
  selections.devices.add(
    Array.from({ length: count }, (_, index) => {
      const id = `D${index}`
      return { id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' }
    }),
  )

beforeEach(() => {
  storedEvents = [event('one', '2026-03-03'), event('two', '2026-03-04', 'B'), event('later', '2026-05-05')]
  scheduled = []
  dueLater = 0
  requests = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  window.history.replaceState(null, '', '/calendar')
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('fetch', async (path: string) => {
    const url = new URL(path, 'http://localhost')
    if (url.pathname === jobs.list.path)
      return new Response(JSON.stringify({ data: { count: scheduled.length, data: scheduled } }))
    if (url.pathname === health.plan.path) return new Response(JSON.stringify({ data: { visits: [], more: dueLater } }))
    requests.push(url)
    const [from, to] = ['from', 'to'].map(name => url.searchParams.get(name) ?? '') as [string, string]
    const [limit, after] = [Number(url.searchParams.get('limit')), url.searchParams.get('after')?.split(',')[1]]
    const found = storedEvents.filter(({ start }) => start >= from && start < to)
    const first = found.findIndex(({ _id }) => _id === after) + 1
    return new Response(JSON.stringify({ data: found.slice(first, first + limit) }))
  })
})
afterEach(() => {
  cleanup()
  clearCache()
  resetCalendar()
  selections.devices.clear()
  Object.assign(calendar, { view: undefined, onlySelected: false, minutes: 9 * 60, focusRequest: undefined })
  vi.unstubAllGlobals()
  clearSession()
  window.history.replaceState(null, '', '/')
})

async function load(query: EventQuery) {
  prefetchEvents(query)
  await until(() => expect(cachedEvent('one')).toBeDefined())
}

test('scheduled jobs are among the events by their start', async () => {
  const job = (_id: string, start_at: string) => ({
    _id,
    start_at,
    command: 'flush',
    input: {},
    kind: null,
    total: 2,
    login: 'a',
  })
  scheduled = [job('newer', '2026-03-03T07:30:00.000Z'), job('older', '2026-03-03T07:00:00.000Z')]
  const { result } = renderHook(() => useVisibleEvents('day', '2026-03-03'))
  await until(() => expect(result.current.events).toHaveLength(3))
  expect(result.current.events!.map(({ _id }) => _id)).toEqual([jobEventId('older'), jobEventId('newer'), 'one'])
})

test('a calendar says how many cartridges are due that no suggestion has', async () => {
  dueLater = 12_345
  const { result } = renderHook(() => useVisibleEvents('day', '2026-03-03'))
  await until(() => expect(result.current.suggestionProblem).toMatch(/^12,345 more cartridges are due in this time[.]/))
})

test('an event that was deleted elsewhere is not found in an older cached response', async () => {
  await load(spring)
  expect(cachedEvent('later')).toBeDefined()
  const { result } = renderHook(() => useEvents(march))
  await until(() => expect(result.current.data).toHaveLength(2))
  storedEvents = storedEvents.filter(({ _id }) => _id !== 'one')
  await mutate(key => Array.isArray(key))
  await until(() => expect(result.current.data).toHaveLength(1))
  expect(cachedEvent('one')).toBeUndefined()
  expect(cachedEvent('two')).toBeDefined()
  // Its time span has not been requested since.
  expect(cachedEvent('later')).toBeDefined()
})

test('more events than fit in a page are read in pages, and a device beyond the listed ones counts as selected', async () => {
  storedEvents = Array.from({ length: 1000 }, (_, index) => ({
    ...event(`e${index}`, '2026-03-03'),
    device_count: 200,
  }))
  const { result } = renderHook(() => useEvents(march))
  await until(() => expect(result.current.data).toHaveLength(1000))
  expect(new Set(result.current.data!.map(({ _id }) => _id)).size).toBe(1000)
  expect(requests).toHaveLength(3)
  expect(eventsWithDevices(result.current.data!, new Set(['another']))).toHaveLength(1000)
})

test('the delete command targets the focused event, or else the open one', async () => {
  await load(march)
  const target = () => {
    const remove = commandOf('calendar.delete')
    const now = remove.availability(currentContext())
    return now.is === 'ready' ? remove.prepare(currentContext(), {}).question?.title : now
  }
  calendar.openEvent = 'one'
  expect(target()).toBe('Delete one?')
  calendar.focusedEvent = 'two'
  expect(target()).toBe('Delete two?')
  await commandOf('calendar.open')
    .prepare(currentContext(), { event: 'one' })
    .run({ go: () => undefined } as unknown as Services)
  expect(target()).toBe('Delete one?')
})

test.each([
  [jobEventId('1'), 'A scheduled job is not an event. To cancel it, open it'],
  ['visit:A/1', 'A suggestion cannot be deleted, only hidden'],
])('the delete command does not act on the open event while %s is focused', async (focusedEvent, reason) => {
  await load(march)
  Object.assign(calendar, { openEvent: 'one', focusedEvent })
  expect(commandOf('calendar.delete').availability(currentContext())).toEqual({ is: 'blocked', reason })
})

test('a deletion keeps the period of the agenda, and shows the day of the event in other views', async () => {
  await load(march)
  const dateAfterDeletion = async (view: typeof calendar.view) => {
    Object.assign(calendar, { view, date: '2026-03-01', focusedEvent: 'two' })
    const call = () => Promise.resolve({})
    await commandOf('calendar.delete')
      .prepare(currentContext(), {})
      .run({ call } as unknown as Services)
    return calendar.date
  }
  expect(await dateAfterDeletion('agenda')).toBe('2026-03-01')
  expect(await dateAfterDeletion('month')).toBe('2026-03-04')
})

test('a new event starts at the focused time in views where times have focus', async () => {
  const startIn = async (view: typeof calendar.view) => {
    Object.assign(calendar, { view, date: '2026-03-03', minutes: 14 * 60 + 30 })
    await commandOf('calendar.new')
      .prepare(currentContext(), {})
      .run({ go: () => undefined } as unknown as Services)
    return calendar.suggestedSpan?.start
  }
  for (const view of ['week', 'day'] as const)
    expect(await startIn(view)).toBe(new Date(2026, 2, 3, 14, 30).toISOString())
  for (const view of ['month', 'agenda'] as const)
    expect(await startIn(view)).toBe(new Date(2026, 2, 3, 9).toISOString())
})

test('creating an event is blocked if more devices are selected than an event can have', () => {
  const create = commandOf('calendar.create')
  select(1000)
  expect(create.availability(currentContext())).toEqual({ is: 'ready' })
  select(1234)
  expect(create.availability(currentContext())).toEqual({
    is: 'blocked',
    reason: 'An event can have at most 1,000 devices; 1,234 are selected',
  })
})

test('a field with many chosen values renders only the first hundred', () => {
  const value = Array.from({ length: 1500 }, (_, index) => ({ value: index, name: `D${index}` }))
  const none = () => Promise.resolve([])
  render(
    <ReferenceField
      command="calendar.create"
      inputId="devices"
      describedBy={undefined}
      invalid={false}
      required={false}
      label="Devices"
      choices={none}
      many
      value={value}
      onChange={() => undefined}
    />,
  )
  expect(screen.getAllByRole('button', { name: /^Remove/ })).toHaveLength(100)
  expect(screen.getByText('+1,400 more')).toBeTruthy()
})

test('events are requested by device for few selected devices, and filtered from all for many', async () => {
  Object.assign(calendar, { onlySelected: true })
  storedEvents = [event('one', '2026-03-03', 'D1'), event('other', '2026-03-03', 'X')]
  select(3)
  const { result, rerender } = renderHook(() => useVisibleEvents('day', '2026-03-03'))
  await until(() => expect(result.current.events).toBeDefined())
  expect(requests[0]?.searchParams.get('devices')).toBe('D0,D1,D2')
  requests = []
  select(501)
  rerender()
  await until(() => expect(result.current.events?.map(({ _id }) => _id)).toEqual(['one']))
  expect(requests.length).toBeGreaterThan(0)
  for (const { searchParams } of requests) expect(searchParams.has('devices')).toBe(false)
})

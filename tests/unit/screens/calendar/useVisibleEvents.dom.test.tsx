/** Which events are known, which one a command is about, and what is read for many selected devices. */
import { cleanup, render, renderHook, screen } from '@testing-library/react'
import { mutate } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCache } from '../../../../src/api/cache.ts'
import type { Event } from '../../../../src/api/contract/events.ts'
import { cachedEvent, prefetchEvents, useEvents, type EventQuery } from '../../../../src/api/events.ts'
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
  created_by: '1',
})
const march: EventQuery = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' }
const spring: EventQuery = { from: '2026-03-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' }

let planned: Event[]
let asked: URL[]
const select = (count: number) =>
  selections.devices.add(
    Array.from({ length: count }, (_, index) => {
      const id = `D${index}`
      return { id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' }
    }),
  )

beforeEach(() => {
  planned = [event('one', '2026-03-03'), event('two', '2026-03-04', 'B'), event('later', '2026-05-05')]
  asked = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  window.history.replaceState(null, '', '/calendar')
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('fetch', async (path: string) => {
    const url = new URL(path, 'http://localhost')
    asked.push(url)
    const [from, to] = ['from', 'to'].map(name => url.searchParams.get(name) ?? '') as [string, string]
    return new Response(JSON.stringify({ data: planned.filter(({ start }) => start >= from && start < to) }))
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

async function read(query: EventQuery) {
  prefetchEvents(query)
  await until(() => expect(cachedEvent('one')).toBeDefined())
}

test('an event that others deleted is not known, though an answer that is no longer shown still holds it', async () => {
  await read(spring)
  expect(cachedEvent('later')).toBeDefined()
  const { result } = renderHook(() => useEvents(march))
  await until(() => expect(result.current.data).toHaveLength(2))
  planned = planned.filter(({ _id }) => _id !== 'one')
  await mutate(key => Array.isArray(key))
  await until(() => expect(result.current.data).toHaveLength(1))
  expect(cachedEvent('one')).toBeUndefined()
  expect(cachedEvent('two')).toBeDefined()
  // Nothing was asked about it since.
  expect(cachedEvent('later')).toBeDefined()
})

test('what is deleted is the event in focus, or else the one that is shown', async () => {
  await read(march)
  const target = () => {
    const remove = commandOf('calendar.delete')
    const now = remove.availability(currentContext())
    return now.is === 'ready' ? remove.prepare(currentContext(), {}).question?.title : now
  }
  calendar.open = 'one'
  expect(target()).toBe('Delete one?')
  calendar.focused = 'two'
  expect(target()).toBe('Delete two?')
  await commandOf('calendar.open')
    .prepare(currentContext(), { event: 'one' })
    .run({ go: () => undefined } as unknown as Services)
  expect(target()).toBe('Delete one?')
})

test('a new event begins at the focused time, where times can be in focus', async () => {
  const begun = async (view: typeof calendar.view) => {
    Object.assign(calendar, { view, date: '2026-03-03', minutes: 14 * 60 + 30 })
    await commandOf('calendar.new')
      .prepare(currentContext(), {})
      .run({ go: () => undefined } as unknown as Services)
    return calendar.suggestedSpan?.start
  }
  for (const view of ['week', 'day'] as const)
    expect(await begun(view)).toBe(new Date(2026, 2, 3, 14, 30).toISOString())
  for (const view of ['month', 'agenda'] as const) expect(await begun(view)).toBe(new Date(2026, 2, 3, 9).toISOString())
})

test('more devices than an event can be of are told before it is filled in', () => {
  const create = commandOf('calendar.create')
  select(1000)
  expect(create.availability(currentContext())).toEqual({ is: 'ready' })
  select(1234)
  expect(create.availability(currentContext())).toEqual({
    is: 'blocked',
    reason: 'An event can have at most 1,000 devices; 1,234 are selected',
  })
})

test('of many that are chosen only some are drawn', () => {
  const value = Array.from({ length: 1500 }, (_, index) => ({ value: index, name: `D${index}` }))
  const none = () => Promise.resolve([])
  render(
    <ReferenceField
      command="calendar.create"
      inputId="devices"
      describedBy={undefined}
      invalid={false}
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

test('events of few selected devices are asked for by their names, those of many chosen from all', async () => {
  Object.assign(calendar, { onlySelected: true })
  planned = [event('one', '2026-03-03', 'D1'), event('other', '2026-03-03', 'X')]
  select(3)
  const { result, rerender } = renderHook(() => useVisibleEvents('day', '2026-03-03'))
  await until(() => expect(result.current.events).toBeDefined())
  expect(asked[0]?.searchParams.get('devices')).toBe('D0,D1,D2')
  asked = []
  select(501)
  rerender()
  await until(() => expect(result.current.events?.map(({ _id }) => _id)).toEqual(['one']))
  expect(asked.length).toBeGreaterThan(0)
  for (const { searchParams } of asked) expect(searchParams.has('devices')).toBe(false)
})

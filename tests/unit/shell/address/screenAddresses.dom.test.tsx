/** The URL parameters of each screen. */
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { jobs } from '../../../../src/commands/core/runs/jobs.ts'
import { notificationTypes } from '../../../../src/domain/notifications/types.ts'
import { listFromQuery } from '../../../../src/shell/address/lists.ts'
import { screenAddresses, type ScreenAddress } from '../../../../src/shell/address/screenAddresses.ts'
import { calendar } from '../../../../src/store/calendar.ts'
import { charts } from '../../../../src/store/charts.ts'
import { initialList, lists } from '../../../../src/store/lists.ts'
import { notificationsView } from '../../../../src/store/notificationsView.ts'
import { overviewView } from '../../../../src/store/overview/view.ts'
import { clearStored } from '../../../../src/store/persist.ts'
import { preferences } from '../../../../src/store/preferences.ts'

const all = Object.entries(screenAddresses) as [string, ScreenAddress][]
const screenAt = (place: keyof typeof screenAddresses) => screenAddresses[place]!

afterEach(() => {
  clearStored()
  for (const [, screen] of all) screen.apply('')
})

const names = ['search', 'column', 'operator', 'sort', 'direction', 'page', 'limit', 'range', 'until', 'zone', 'view']
const others = ['date', 'types', 'devices', 'findings', 'job', 'filter', 'cmd']
const texts = [
  '',
  '0',
  '2',
  '50',
  '5000',
  '-1',
  'kitchen',
  'temperature',
  'name',
  'login',
  'eq',
  'xx',
  'asc',
  'desc',
  'week',
  'year',
  'device',
  'selected',
  'failed',
  'all',
  'off',
  'leak',
  'leak,nothing',
  'pump_failure,leak',
  '60 °F',
  '2026-11-23',
  '2026-02-30',
  '9999-12-31',
  '2026-11-23T10:00:00Z',
  '2026-11-23T99:00:00Z',
  'today',
  'agenda',
]
const query = fc
  .array(fc.tuple(fc.constantFrom(...names, ...others), fc.oneof(fc.constantFrom(...texts), fc.string())))
  .map(pairs => new URLSearchParams(pairs).toString())

test.each(all)('%s: any query gives a state whose own query gives the same state', (_, screen) => {
  fc.assert(
    fc.property(query, given => {
      screen.apply(given)
      const shown = screen.query()
      screen.apply('')
      expect(screen.query()).toBe('')
      expect(screen.hasParams('')).toBe(false)
      screen.apply(shown)
      expect(screen.query()).toBe(shown)
    }),
  )
})

test('a list ignores parameters that the server would refuse', () => {
  screenAt('devices').apply('column=password&sort=nothing&operator=like&page=0&limit=5000&direction=up')
  expect(lists.devices).toEqual({ ...initialList(), shown: {} })
  screenAt('devices').apply(`page=1000001&search=${'x'.repeat(201)}`)
  expect(lists.devices).toEqual({ ...initialList(), shown: {} })
  // A column of another list is ignored.
  screenAt('vendors').apply('column=temperature&search=60')
  expect(lists.vendors).toMatchObject({ column: undefined, search: '60' })
})

test('an amount is encoded with its unit, and decoded without it if the unit is still the same', () => {
  preferences.units.temperature = 'F'
  Object.assign(lists.devices, { search: '60', column: 'temperature', operator: 'gt' })
  expect(screenAt('devices').query()).toBe('search=60+%C2%B0F&column=temperature&operator=gt')
  screenAt('devices').apply(screenAt('devices').query())
  expect(lists.devices.search).toBe('60')
  preferences.units.temperature = 'C'
  screenAt('devices').apply('search=60+%C2%B0F&column=temperature&operator=gt')
  expect(lists.devices.search).toBe('60 °F')
})

test('the prefetched rows are those of the URL', () => {
  lists.devices.search = 'of before'
  expect(listFromQuery('devices', '?search=leak&page=3&limit=7')).toMatchObject({ search: 'leak', page: 3, limit: 20 })
  expect(lists.devices.search).toBe('of before')
})

test('searches, sorts and pages of a list are history steps', () => {
  const { isHistoryStep, isSearchEdit } = screenAt('devices')
  expect(isHistoryStep('', 'search=a')).toBe(true)
  expect(isHistoryStep('search=a', '')).toBe(true)
  expect(isHistoryStep('', 'sort=status')).toBe(true)
  expect(isHistoryStep('sort=status', 'sort=status&direction=desc')).toBe(true)
  expect(isHistoryStep('', 'page=2')).toBe(true)
  expect(isHistoryStep('page=2', 'limit=50')).toBe(true)
  expect(isHistoryStep('search=a', 'search=a&operator=eq')).toBe(true)
  // Without a search, neither column nor operator changes the rows.
  expect(isHistoryStep('', 'column=model&operator=eq')).toBe(false)
  expect(isSearchEdit('', 'search=a')).toBe(true)
  expect(isSearchEdit('search=a&page=2', 'search=ab')).toBe(true)
  expect(isSearchEdit('search=a', '')).toBe(false)
  expect(isSearchEdit('search=a', 'search=a&page=2')).toBe(false)
  expect(isSearchEdit('search=a', 'search=b&operator=eq')).toBe(false)
})

test('charts: range, time and zone are applied, and invalid times ignored', () => {
  screenAt('charts').apply('range=week&until=2026-11-23T10:00:00Z&zone=device')
  expect(charts).toMatchObject({ range: 'week', until: '2026-11-23T10:00:00.000Z', zone: 'device' })
  for (const until of ['garbage', '2026-11-23', '2026-13-01T00:00:00Z', '9999-01-01T00:00:00Z']) {
    screenAt('charts').apply(`range=month&until=${until}`)
    expect(charts).toMatchObject({ range: 'month', until: undefined })
  }
})

test('calendar: an invalid date is ignored, and focusing another visible day is no history step', () => {
  screenAt('calendar').apply('view=week&date=2026-11-23')
  expect(calendar).toMatchObject({ view: 'week', date: '2026-11-23' })
  for (const date of ['2026-02-30', '2026-1-1', '1969-12-31', '2200-01-01', 'today'])
    expect(screenAt('calendar').hasParams(`date=${date}`)).toBe(false)
  const { isHistoryStep } = screenAt('calendar')
  expect(isHistoryStep('view=month&date=2026-11-23', 'view=month&date=2026-11-24')).toBe(false)
  expect(isHistoryStep('view=month&date=2026-11-30', 'view=month&date=2026-12-01')).toBe(true)
  expect(isHistoryStep('view=month&date=2026-11-23', 'view=week&date=2026-11-23')).toBe(true)
})

test('notifications: the visible types and the restriction to selected devices are applied', () => {
  screenAt('notifications').apply('types=leak,pump_failure,nothing&devices=selected')
  expect(notificationsView.onlySelected).toBe(true)
  expect(notificationsView.hidden).toHaveLength(notificationTypes.length - 2)
  expect(screenAt('notifications').query()).toBe('types=leak,pump_failure&devices=selected')
  notificationsView.hidden = []
  expect(screenAt('notifications').query()).toBe('devices=selected')
  // An empty list of types hides all of them.
  screenAt('notifications').apply('types=')
  expect(notificationsView.hidden).toHaveLength(notificationTypes.length)
  expect(screenAt('notifications').query()).toBe('types=')
})

test('notifications: findings can be off, and turning them off or on is a history step', () => {
  const { apply, query, hasParams, isHistoryStep } = screenAt('notifications')
  notificationsView.findings = false
  expect(query()).toBe('findings=off')
  apply('')
  expect(notificationsView.findings).toBe(true)
  apply('types=leak&findings=off')
  expect(notificationsView.findings).toBe(false)
  expect(query()).toBe('types=leak&findings=off')
  expect(isHistoryStep('', 'findings=off')).toBe(true)
  for (const findings of ['on', '', 'OFF']) expect(hasParams(`findings=${findings}`)).toBe(false)
})

test('overview: the range of the alarms is applied, another one is ignored, and each change is a history step', () => {
  screenAt('overview').apply('range=month')
  expect(overviewView.range).toBe('month')
  for (const range of ['year', 'day', '', '__proto__'])
    expect(screenAt('overview').hasParams(`range=${range}`)).toBe(false)
  screenAt('overview').apply('range=year')
  expect(overviewView.range).toBe('week')
  expect(screenAt('overview').query()).toBe('')
  expect(screenAt('overview').isHistoryStep('', 'range=month')).toBe(true)
})

test('jobs: a job and a filter of its targets are applied, and choosing another job is no history step', () => {
  screenAt('jobs').apply('job=a-1&filter=failed')
  expect(jobs.view).toMatchObject({ job: 'a-1', filter: 'failed' })
  screenAt('jobs').apply('job=a/../b&filter=lost')
  expect(jobs.view).toMatchObject({ job: undefined, filter: 'all' })
  const { isHistoryStep } = screenAt('jobs')
  expect(isHistoryStep('job=a', 'job=a&filter=failed')).toBe(true)
  expect(isHistoryStep('', 'job=a&filter=failed')).toBe(true)
  expect(isHistoryStep('job=a', 'job=b')).toBe(false)
  expect(isHistoryStep('job=a&filter=failed', 'job=b')).toBe(false)
})

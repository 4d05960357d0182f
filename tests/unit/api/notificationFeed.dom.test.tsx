/** The notifications on screen: what is asked for, and what of the stream belongs to it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '../../../src/api/contract/notifications.ts'
import {
  feedKey,
  receiveNotifications,
  loadMoreNotifications,
  reloadNotifications,
  showNotifications,
  loadedNotifications,
  stateOf,
  type NotificationFilter,
} from '../../../src/api/notificationFeed.ts'
import { notices } from '../../../src/store/notices.ts'
import { clearSession, setSession } from '../../../src/store/session.ts'
import { until } from '../../support/until.ts'

const one = (at: number, type: Notification['type'] = 'leak', bssid = 'FE:E2:00:00:00:01'): Notification => ({
  _id: String(at),
  type,
  device: { bssid, description: '', company_name: '' },
  created_at: new Date(Date.UTC(2026, 10, 20) + at * 1000).toISOString(),
  values: {},
})

let asked: URLSearchParams[]
let stored: Notification[]
beforeEach(() => {
  asked = []
  stored = [one(2), one(1)]
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', (path: string) => {
    const { searchParams } = new URL(path, 'http://server')
    asked.push(searchParams)
    const offset = Number(searchParams.get('offset'))
    const data = stored.slice(offset, offset + Number(searchParams.get('limit')))
    return Promise.resolve(new Response(JSON.stringify({ data: { count: stored.length, data } })))
  })
})
afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

let serial = 0
/** No other test's account has the same filter on screen. */
async function show(filter: NotificationFilter) {
  const key = feedKey(`account ${serial++}`, filter)
  await showNotifications(key)
  return key
}
const ids = () => loadedNotifications().map(({ _id }) => _id)

test('without a filter neither types nor devices are named', async () => {
  await show({})
  expect(Object.fromEntries(asked[0]!)).toEqual({ offset: '0', limit: '12' })
  expect(notices).toMatchObject({ loaded: 2, count: 2 })
})

test('a filter is named, devices in the short spelling', async () => {
  await show({ types: ['leak', 'pump_failure'], devices: ['FE:E2:00:00:00:01', 'FE:E2:00:00:00:02'] })
  expect(Object.fromEntries(asked[0]!)).toEqual({
    types: 'leak,pump_failure',
    devices: 'FEE200000001,FEE200000002',
    offset: '0',
    limit: '12',
  })
})

test('five hundred devices fit into what a server takes as an address', async () => {
  await show({ devices: Array.from({ length: 500 }, (_, at) => `FE:E2:00:00:${String(at).padStart(4, '0')}:01`) })
  expect(asked[0]!.toString().length).toBeLessThan(12_000)
})

test('what cannot match is not asked for, whatever happens on the stream', async () => {
  for (const filter of [{ types: [] }, { devices: [] }]) {
    await show(filter)
    expect(notices).toMatchObject({ loaded: 0, count: 0 })
    receiveNotifications([one(3)])
    reloadNotifications()
    await loadMoreNotifications()
    expect(ids()).toEqual([])
  }
  expect(asked).toEqual([])
})

test('of what is told only that which the filter lets through is shown', async () => {
  await show({ types: ['leak'], devices: ['FE:E2:00:00:00:01'] })
  receiveNotifications([one(3), one(4, 'pump_failure'), one(5, 'leak', 'FE:E2:00:00:00:02'), one(6)])
  expect(ids()).toEqual(['6', '3', '2', '1'])
  expect(notices).toMatchObject({ loaded: 4, count: 4 })
  expect(asked).toHaveLength(1)
})

test('who comes back finds what was there, and it is mended', async () => {
  const key = await show({})
  stored = [one(3), ...stored]
  await showNotifications(key)
  expect(stateOf(key).rows).toHaveLength(2)
  await until(() => expect(ids()).toEqual(['3', '2', '1']))
})

test('nothing stays of it once the session is over', async () => {
  const key = await show({})
  notices.newAbove = 1
  clearSession()
  await until(() => expect(ids()).toEqual([]))
  expect(stateOf(key).count).toBeUndefined()
  expect(notices).toMatchObject({ loaded: 0, count: undefined, focused: undefined, newAbove: 0 })
})

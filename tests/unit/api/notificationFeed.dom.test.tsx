/** The notification feed: its requests, and the filtering of streamed notifications. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '../../../src/api/contract/notifications.ts'
import {
  feedKey,
  receiveNotifications,
  loadMoreNotifications,
  reloadNotifications,
  showNotifications,
  loadedNotifications,
  feedState,
  type NotificationFilter,
} from '../../../src/api/notificationFeed.ts'
import { notificationTypes } from '../../../src/domain/notifications/types.ts'
import { notificationsView } from '../../../src/store/notificationsView.ts'
import { clearSession, setSession } from '../../../src/store/session.ts'
import { until } from '../../support/until.ts'

const notification = (at: number, type: Notification['type'] = 'leak', bssid = 'FE:E2:00:00:00:01'): Notification => ({
  _id: String(at),
  type,
  device: { bssid, description: '', company_name: '' },
  created_at: new Date(Date.UTC(2026, 10, 20) + at * 1000).toISOString(),
  values: {},
})

let requests: URLSearchParams[]
let stored: Notification[]
beforeEach(() => {
  requests = []
  stored = [notification(2), notification(1)]
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', (path: string) => {
    const { searchParams } = new URL(path, 'http://server')
    requests.push(searchParams)
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
/** Each call uses another account, so that tests share no feed. */
async function show(filter: NotificationFilter) {
  const key = feedKey(`account ${serial++}`, filter)
  await showNotifications(key)
  return key
}
const ids = () => loadedNotifications().map(({ _id }) => _id)

test('without a filter the request names all types and no devices', async () => {
  await show({})
  expect(Object.fromEntries(requests[0]!)).toEqual({
    offset: '0',
    limit: '12',
    types: notificationTypes.join(','),
    collapse: 'true',
  })
  expect(notificationsView).toMatchObject({ loaded: 2, count: 2 })
})

test('a filter is sent in the request, with BSSIDs in the short form', async () => {
  await show({ types: ['leak', 'pump_failure'], devices: ['FE:E2:00:00:00:01', 'FE:E2:00:00:00:02'] })
  expect(Object.fromEntries(requests[0]!)).toEqual({
    types: 'leak,pump_failure',
    devices: 'FEE200000001,FEE200000002',
    offset: '0',
    limit: '12',
    collapse: 'true',
  })
})

test('a request with 500 devices stays within the URL length that servers accept', async () => {
  await show({ devices: Array.from({ length: 500 }, (_, at) => `FE:E2:00:00:${String(at).padStart(4, '0')}:01`) })
  expect(requests[0]!.toString().length).toBeLessThan(12_000)
})

test('a filter that matches nothing sends no requests and ignores the stream', async () => {
  for (const filter of [{ types: [] }, { devices: [] }]) {
    await show(filter)
    expect(notificationsView).toMatchObject({ loaded: 0, count: 0 })
    receiveNotifications([notification(3)])
    reloadNotifications()
    await loadMoreNotifications()
    expect(ids()).toEqual([])
  }
  expect(requests).toEqual([])
})

test('streamed notifications are shown only if they match the filter', async () => {
  await show({ types: ['leak'], devices: ['FE:E2:00:00:00:01'] })
  receiveNotifications([
    notification(3),
    notification(4, 'pump_failure'),
    notification(5, 'leak', 'FE:E2:00:00:00:02'),
    notification(6),
  ])
  expect(ids()).toEqual(['6', '3', '2', '1'])
  expect(notificationsView).toMatchObject({ loaded: 4, count: 4 })
  expect(requests).toHaveLength(1)
})

test('a feed that is shown again has its rows at once, and is then refreshed', async () => {
  const key = await show({})
  stored = [notification(3), ...stored]
  await showNotifications(key)
  expect(feedState(key).rows).toHaveLength(2)
  await until(() => expect(ids()).toEqual(['3', '2', '1']))
})

test('the feed is emptied at the end of the session', async () => {
  const key = await show({})
  notificationsView.newAbove = 1
  clearSession()
  await until(() => expect(ids()).toEqual([]))
  expect(feedState(key).count).toBeUndefined()
  expect(notificationsView).toMatchObject({ loaded: 0, count: undefined, focused: undefined, newAbove: 0 })
})

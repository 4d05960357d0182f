/** The notifications screen while notifications arrive and findings are hidden. */
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '../../../../src/api/contract/notifications.ts'
import { clearCache } from '../../../../src/api/cache.ts'
import { receiveNotifications, refreshNotifications } from '../../../../src/api/notificationFeed.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { NotificationsScreen } from '../../../../src/screens/notifications/NotificationsScreen.tsx'
import { msPerDay } from '../../../../src/domain/time.ts'
import { notificationsView } from '../../../../src/store/notificationsView.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import '../../support/allCommands.ts'

const ago = (days: number) => new Date(Date.now() - days * msPerDay).toISOString()
const notification = (id: string, days: number): Notification => ({
  _id: id,
  type: 'leak',
  device: { bssid: '30:AE:A4:04:74:8C', description: id, company_name: 'Clearspring' },
  created_at: ago(days),
  values: {},
})
const change = {
  _id: 'c1',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  water_supply: 'Harbour',
  cause: 'feed_water',
  began_at: ago(5),
  ended_at: null,
  told_at: ago(2),
  change: 60,
  devices: 8,
  bssids: null,
}
let stored: Notification[]
let seen: string[]
/** Lets the lines of health arrive. */
let sendHealth: () => void

beforeEach(() => {
  stored = [notification('first', 3)]
  seen = []
  const health = new Promise<void>(resolve => (sendHealth = resolve))
  window.history.replaceState(null, '', '/notifications')
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('fetch', async (path: string, init?: { readonly body: string }) => {
    const { pathname } = new URL(path, 'http://server')
    const answer = (data: unknown) => new Response(JSON.stringify({ data }))
    if (pathname.endsWith('/health/incidents')) {
      await health
      return answer([change])
    }
    if (pathname.includes('/findings/')) return answer([])
    if (pathname.endsWith('/unseen')) return answer({ count: 0, seen_at: ago(10) })
    if (pathname.endsWith('/seen')) {
      seen.push((JSON.parse(init!.body) as { until: string }).until)
      return answer({ count: 0, seen_at: seen.at(-1) })
    }
    return answer({ count: stored.length, data: stored })
  })
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  cleanup()
  clearCache()
  vi.unstubAllGlobals()
  clearSession()
  notificationsView.findings = true
})

const receive = (row: Notification) => act(() => receiveNotifications([row]))
const rows = () => screen.getAllByRole('article')
const supplyLine = async () => (await screen.findByText(/^Feed TDS/)).closest('article')!

test('while findings are hidden, a notification that arrives marks none as seen', async () => {
  sendHealth()
  notificationsView.findings = false
  render(<NotificationsScreen />)
  await screen.findByRole('article')
  const second = notification('second', 0.1)
  receive(second)
  expect(rows()).toHaveLength(2)
  act(() => void (notificationsView.findings = true))
  await vi.waitFor(() => expect(seen[0]).toBe(second.created_at))
})

test('keys act on no line that is no longer shown, and the focus moves to the line that takes its place', async () => {
  sendHealth()
  render(<NotificationsScreen />)
  const line = await supplyLine()
  act(() => line.focus())
  expect(notificationsView.focused?.notification.type).toBe('supply')
  act(() => void (notificationsView.findings = false))
  await vi.waitFor(() => expect(rows()).toHaveLength(1))
  expect(document.activeElement).toBe(rows()[0])
  expect(notificationsView.focused?.notification._id).toBe('first')

  stored = [notification('other', 1)]
  act(() => screen.getByRole('heading', { name: 'Notifications' }).focus())
  await act(refreshNotifications)
  expect(notificationsView.focused).toBeUndefined()
  expect(commandOf('notification.open').availability(currentContext()).is).toBe('blocked')
})

test('each notification that arrives is announced, and lines of health that load later are not', async () => {
  render(<NotificationsScreen />)
  await screen.findByRole('article')
  const announced = () =>
    within(screen.getByRole('region'))
      .getAllByRole('status')
      .map(({ textContent }) => textContent)
  sendHealth()
  await supplyLine()
  expect(announced().join()).not.toContain('new notification')
  receive(notification('second', 0.2))
  expect(announced()).toContain('1 new notification')
  receive(notification('third', 0.1))
  expect(announced()).toContain('2 new notifications')
})

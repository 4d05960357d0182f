/** Changes of water supplies among the notifications. */
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SupplyChange } from '../../../../src/api/contract/health/fleet.ts'
import { clearCache } from '../../../../src/api/cache.ts'
import { supplyNotice } from '../../../../src/api/health/notices.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { actionOf, focusOn } from '../../../../src/commands/notifications/focus.ts'
import { NotificationsScreen } from '../../../../src/screens/notifications/NotificationsScreen.tsx'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { notificationsView } from '../../../../src/store/notificationsView.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import '../../support/allCommands.ts'

const ago = (days: number) => new Date(Date.now() - days * msPerDay).toISOString()
const change: SupplyChange = {
  _id: 'c1',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  water_supply: 'Harbour',
  cause: 'feed_water',
  began_at: '2026-11-03T12:00:00.000Z',
  ended_at: null,
  told_at: ago(1),
  change: 60,
  devices: 8,
  bssids: null,
}
const listed = {
  bssid: '30:AE:A4:04:74:8C',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  status: 0,
  platform: 'esp32',
}

const responseTo = (url: URL): unknown => {
  if (url.pathname.endsWith('/health/incidents'))
    return [change, { ...change, water_supply: 'Hill', ended_at: ago(40), told_at: ago(50) }]
  if (url.pathname.includes('/findings/')) return []
  if (url.pathname.endsWith('/unseen') || url.pathname.endsWith('/seen')) return { count: 0, seen_at: ago(2) }
  if (url.pathname.endsWith('/devices')) return { count: 1, data: [listed] }
  return { count: 0, data: [] }
}

beforeEach(() => {
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
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(new Response(JSON.stringify({ data: responseTo(new URL(path, 'http://server')) }))),
  )
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  cleanup()
  clearCache()
  vi.unstubAllGlobals()
  clearSelections()
  resetLists()
  clearSession()
  notificationsView.findings = true
})

const runCommand = (
  id: 'notification.down' | 'notification.open' | 'notification.selectDevices',
  go = vi.fn<(path: string) => void>(),
) =>
  commandOf(id)
    .prepare(currentContext(), {})
    .run({
      go,
      progress: { report: () => undefined, signal: new AbortController().signal },
    } as Partial<Services> as Services)

const text = 'Feed TDS +60 % since Nov 3, 2026'

test('the first key that moves has moved when the next key is pressed', async () => {
  render(<NotificationsScreen />)
  await screen.findByText(text)
  await vi.waitFor(() => expect(notificationsView.count).toBe(1))
  void runCommand('notification.down')
  expect(notificationsView.focused?.notification.type).toBe('supply')
  expect(commandOf('notification.open').availability(currentContext()).is).toBe('ready')
})

test('a change that goes on or has ended lately is a line, which the filter of findings hides', async () => {
  render(<NotificationsScreen />)
  await screen.findByText(text)
  expect(screen.getAllByText(/Feed TDS/)).toHaveLength(1)
  expect(screen.getByText('Harbour · Clearspring · seen in 8 devices')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /its notifications/ })).toBeNull()
  await vi.waitFor(() => expect(notificationsView.count).toBe(1))
  notificationsView.findings = false
  await vi.waitFor(() => expect(screen.queryByText(text)).toBeNull())
})

test('Enter opens the devices of its supply, and another key selects them', async () => {
  focusOn(supplyNotice(change))
  expect(actionOf(supplyNotice(change)).title).toBe('Select devices')
  const go = vi.fn<(path: string) => void>()
  expect(await runCommand('notification.open', go)).toBe('Selected 1 device')
  expect(selections.devices.query).toEqual({ search: 'Harbour', column: 'water_supply', operator: 'eq' })
  expect(lists.devices.search).toBe('Harbour')
  expect(go).toHaveBeenCalledWith('/devices')
  clearSelections()
  expect(await runCommand('notification.selectDevices')).toMatch(/^Selected 1 device/)
  expect(selections.devices.items().map(({ id }) => id)).toEqual([listed.bssid])
})

test('Enter opens the devices of a supply without a label by their ids', async () => {
  focusOn(supplyNotice({ ...change, _id: 'c2', water_supply: null, bssids: [listed.bssid] }))
  expect(await runCommand('notification.open')).toMatch(/^Selected 1 device/)
  expect(selections.devices.items().map(({ id }) => id)).toEqual([listed.bssid])
})

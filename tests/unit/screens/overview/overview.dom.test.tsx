/** The overview: what it counts, moving between its entries, and what each of them does. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding } from '../../../../src/api/contract/findings.ts'
import type { HealthSummary } from '../../../../src/api/contract/health.ts'
import { clearCache } from '../../../../src/api/cache.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { OverviewScreen } from '../../../../src/screens/overview/OverviewScreen.tsx'
import { overviewFocus, resetFocus } from '../../../../src/store/focus.ts'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import '../../support/allCommands.ts'

const group = (key: string, name: string, counts: HealthSummary['counts']) => ({ key, name, counts })
const groups: Readonly<Record<string, HealthSummary['groups']>> = {
  cause: [group('fouling', 'Fouling', { act: 3, watch: 1, good: 0, learning: 0 })],
  model: [group('m1', 'RO-400', { act: 3, watch: 1, good: 6, learning: 2 })],
  supply: [],
  vendor: [group('v1', 'Clearspring', { act: 3, watch: 1, good: 6, learning: 2 })],
}
const finding: Finding = {
  _id: 'f1',
  bssid: '30:AE:A4:04:74:8C',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  cause: 'fouling',
  position: 2,
  severity: 'act',
  confidence: 86,
  alternatives: [],
  evidence: [],
  tempo: 'ramp',
  detected_at: '2026-11-24T00:00:00.000Z',
  began_early: '2026-10-01T00:00:00.000Z',
  began_at: '2026-10-10T00:00:00.000Z',
  began_late: '2026-10-20T00:00:00.000Z',
  state: 'open',
  shelved_until: null,
  reason: null,
  verdict: null,
  login: null,
  ended_at: null,
}
let requests: URL[]

const responseTo = (url: URL): unknown => {
  if (url.pathname.endsWith('/movers')) return [finding]
  if (url.pathname.endsWith('/devices')) return { count: 4, data: [] }
  const counts = { act: 3, watch: 1, good: 6, learning: 2 }
  return { counts, due: { day: '2026-12-25', count: 5 }, groups: groups[url.searchParams.get('by') ?? 'cause'] }
}

beforeEach(() => {
  window.history.replaceState(null, '', '/overview')
  requests = []
  vi.stubGlobal('fetch', (path: string) => {
    const url = new URL(path, 'http://server')
    requests.push(url)
    return Promise.resolve(new Response(JSON.stringify({ data: responseTo(url) })))
  })
})
afterEach(() => {
  cleanup()
  clearCache()
  vi.unstubAllGlobals()
  clearSession()
  clearSelections()
  resetLists()
  resetFocus()
})

const signInAs = (userRole: 'admin' | 'vendor') =>
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole, login: userRole })
async function show(role: 'admin' | 'vendor') {
  signInAs(role)
  render(<OverviewScreen />)
  await screen.findByRole('button', { name: /^Fouling: / })
  await screen.findByRole('button', { name: /Clearspring: Fouling/ })
}
const runCommand = (id: 'overview.down' | 'overview.open', services: Partial<Services> = {}) =>
  commandOf(id)
    .prepare(currentContext(), {})
    .run({
      progress: { report: () => undefined, signal: new AbortController().signal },
      ...services,
    } as Services)

test('each count is a button that is named by what it counts', async () => {
  await show('admin')
  for (const name of [
    'Act: 3, 25 % of all devices',
    'Watch: 1, 8 % of all devices',
    'Good: 6, 50 % of all devices',
    'Learning: 2, 17 % of all devices',
    'Due in 30 days: 5, 42 % of all devices',
    'Fouling: 4, 3 act · 1 watch',
    'RO-400: 12, 3 act · 1 watch · 6 good · 2 learning',
    '30:AE:A4:04:74:8C, Clearspring: Fouling, 86 %',
  ])
    expect(screen.getByRole('button', { name }), name).toBeTruthy()
  expect(screen.getByText(/No device has a water supply yet/)).toBeTruthy()
})

test('a vendor has no vendors to compare, and asks for none', async () => {
  await show('vendor')
  expect(screen.queryByRole('heading', { name: 'Vendors' })).toBeNull()
  expect(requests.some(({ searchParams }) => searchParams.get('by') === 'vendor')).toBe(false)
})

test('keys move through all entries, and only the focused one is a tab stop', async () => {
  await show('admin')
  const names: string[] = []
  for (let presses = 0; presses < 9; presses++) {
    await runCommand('overview.down')
    await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('BUTTON'))
    names.push(document.activeElement!.getAttribute('aria-label')!.split(':')[0]!)
  }
  expect(names).toEqual([
    'Act',
    'Watch',
    'Good',
    'Learning',
    'Due in 30 days',
    'Fouling',
    'RO-400',
    'Clearspring',
    '30',
  ])
  expect(
    within(document.body)
      .getAllByRole('button')
      .filter(({ tabIndex }) => tabIndex === 0),
  ).toEqual([document.activeElement])
})

test('an entry selects all devices that it counts, and shows them in their list', async () => {
  await show('admin')
  overviewFocus.entry = 'cause fouling'
  const go = vi.fn<(path: string) => void>()
  expect(await runCommand('overview.open', { go })).toBe('Selected 4 devices')
  expect(go).toHaveBeenCalledWith('/devices')
  expect(lists.devices).toMatchObject({ search: 'Fouling', column: 'health_cause', operator: 'eq' })
  expect(selections.devices.query).toEqual({ search: 'Fouling', column: 'health_cause', operator: 'eq' })
  expect(selections.devices.size).toBe(4)
})

test('what is due soon is found by its day', async () => {
  await show('admin')
  overviewFocus.entry = 'due'
  await runCommand('overview.open', { go: vi.fn<(path: string) => void>() })
  expect(selections.devices.query).toEqual({ search: '2026-12-25', column: 'due_at', operator: 'le' })
})

test('a new finding opens its device', async () => {
  await show('admin')
  overviewFocus.entry = 'finding f1'
  const go = vi.fn<(path: string) => void>()
  await runCommand('overview.open', { go })
  expect(go).toHaveBeenCalledWith('/devices/30:AE:A4:04:74:8C')
})

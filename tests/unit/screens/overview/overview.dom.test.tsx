/** The overview: what it counts, moving between its entries, and what each of them does. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding } from '../../../../src/api/contract/findings.ts'
import type { AnalysedSupply } from '../../../../src/api/contract/health/water.ts'
import type {
  Coverage,
  FindingGroup,
  HealthSummary,
  SupplyChange,
  Movers,
} from '../../../../src/api/contract/health/fleet.ts'
import type { AlarmLoad } from '../../../../src/api/contract/notifications.ts'
import { clearCache } from '../../../../src/api/cache.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { OverviewScreen } from '../../../../src/screens/overview/OverviewScreen.tsx'
import { overviewFocus, resetFocus } from '../../../../src/store/focus.ts'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { overviewView } from '../../../../src/store/overview/view.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import '../../support/allCommands.ts'

const groups: HealthSummary['groups'] = [
  { by: 'cause', key: 'fouling', name: 'Fouling', counts: { act: 3, watch: 1, good: 0, learning: 0 } },
  { by: 'model', key: 'm1', name: 'RO-400', counts: { act: 3, watch: 1, good: 6, learning: 2 } },
  { by: 'vendor', key: 'v1', name: 'Clearspring', counts: { act: 3, watch: 1, good: 6, learning: 2 } },
]
const noisy = { bssid: '30:AE:A4:04:74:8D', description: 'Kitchen', company_name: 'Clearspring' }
const load: AlarmLoad = {
  from: '2026-11-19T00:00:00.000Z',
  until: '2026-11-25T12:00:00.000Z',
  alarms: 26,
  incidents: 1,
  incident_notifications: 40,
  per_person_day: 4,
  windows: 936,
  flood_windows: 3,
  flood_hours: 0.5,
  fullest: { at: '2026-11-24T08:00:00.000Z', alarms: 12 },
  days: Array.from({ length: 7 }, (_, index) => ({
    at: `2026-11-${19 + index}T00:00:00.000Z`,
    alarms: index === 5 ? 20 : 1,
    flooded: index === 5 ? 12 : 0,
  })),
  worst: [{ device: noisy, alarms: 9, type: 'leak', of_type: 7 }],
  worst_from: '2026-11-19T00:00:00.000Z',
}
const mover = {
  bssid: '30:AE:A4:04:74:8E',
  description: 'Office',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  cause: null,
}
const movers: Movers = {
  fell: [{ ...mover, score: 31, before: 92, cause: 'fouling' }],
  rose: [{ ...mover, bssid: '30:AE:A4:04:74:8F', description: '', score: 95, before: 20 }],
}
const finding: Finding = {
  _id: 'f1',
  bssid: '30:AE:A4:04:74:8C',
  description: 'Kitchen',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  cause: 'fouling',
  position: 2,
  severity: 'act',
  confidence: 86,
  alternatives: [],
  evidence: [],
  tempo: 'ramp',
  detected_at: '2026-11-24T00:00:00.000Z',
  told_at: '2026-11-25T01:00:00.000Z',
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
const coverage: Coverage[] = [
  { kind: 0, outcomes: 7, inside: 6, replaced_early: 0, typical: true },
  { kind: 2, outcomes: 143, inside: 116, replaced_early: 12, typical: false },
]
const change: SupplyChange = {
  _id: 'c1',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  water_supply: 'Harbour',
  cause: 'feed_water',
  began_at: '2026-11-03T12:00:00.000Z',
  ended_at: null,
  told_at: '2026-11-07T01:00:00.000Z',
  change: 60,
  devices: 8,
  bssids: null,
}
let requests: URL[]
let changes: SupplyChange[] = []
let newest: Finding[] = [finding]
let findingGroups: FindingGroup[] = []
let supplies: HealthSummary['groups'] = []
let pending = 0
/** A device of a list. */
const listed = {
  bssid: '30:AE:A4:04:74:8C',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  status: 0,
  platform: 'esp32',
}

const responseTo = (url: URL): unknown => {
  if (url.pathname.endsWith('/findings/newest')) return newest
  if (url.pathname.endsWith('/findings/groups')) return findingGroups
  if (url.pathname.endsWith('/movers')) return movers
  if (url.pathname.endsWith('/incidents')) return changes
  if (url.pathname.endsWith('/load')) return load
  if (url.pathname.endsWith('/coverage')) return coverage
  if (url.pathname.endsWith('/devices'))
    return ['water_supply', 'bssid'].includes(url.searchParams.get('column')!)
      ? { count: 1, data: [listed] }
      : { count: 4, data: [] }
  const counts = { act: 3, watch: 1, good: 6, learning: 2 }
  const by = url.searchParams.get('by')!.split(',')
  return {
    counts,
    due: { day: '2026-12-25', count: 5 },
    pending,
    groups: [...groups, ...supplies].filter(group => by.includes(group.by)),
  }
}

beforeEach(() => {
  window.history.replaceState(null, '', '/overview')
  requests = []
  supplies = []
  pending = 0
  changes = []
  newest = [finding]
  findingGroups = []
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
  Object.assign(overviewView, { range: 'week', table: false, allGroups: false })
})

const signInAs = (userRole: 'admin' | 'vendor') =>
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole, login: userRole })
async function show(role: 'admin' | 'vendor') {
  signInAs(role)
  render(<OverviewScreen />)
  await screen.findByRole('button', { name: /^Fouling: / })
  await screen.findByRole('button', { name: /^Fouling, 86 %/ })
  await screen.findByRole('button', { name: /^Kitchen/ })
  await screen.findByRole('button', { name: /^Office/ })
}
const runCommand = (
  id: `overview.${'down' | 'open' | 'table' | 'month' | 'allGroups'}`,
  services: Partial<Services> = {},
) =>
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
    'RO-400: 12, 3 act · 1 watch, 6 good · 2 learning',
    'Kitchen: 9, Leak detected 7 times, Clearspring',
    'Fouling, 86 %, 30:AE:A4:04:74:8C · Kitchen · Clearspring',
    'Office: 92 → 31, Fouling: the score fell, Clearspring',
    '30:AE:A4:04:74:8F: 20 → 95: the score rose, Clearspring',
  ])
    expect(screen.getByRole('button', { name }), name).toBeTruthy()
  expect(screen.getByText(/No device has a water supply yet/)).toBeTruthy()
})

test('one call reads the totals and all groups', async () => {
  await show('admin')
  expect(requests.filter(({ pathname }) => pathname.endsWith('/summary')).map(({ search }) => search)).toEqual([
    '?by=cause%2Cvendor%2Cmodel%2Csupply',
  ])
})

test('how forecasts turned out is shown by kind of cartridge', async () => {
  await show('admin')
  const list = await screen.findByRole('list', { name: 'How forecasts turned out' })
  const [prefilters, membranes] = within(list).getAllByRole('listitem')
  expect(prefilters?.textContent).toBe('Pre-filterstypicalPre-filters: typical interval; 7 own outcomes so far')
  expect(membranes?.textContent).toBe(
    'Membranes81 %Of 143 forecasts of membranes 81 % ended inside their interval · 12 more unknown: replaced early',
  )
})

test('a vendor has no vendors to compare, and asks for none', async () => {
  await show('vendor')
  expect(screen.queryByRole('heading', { name: 'Vendors' })).toBeNull()
  expect(requests.some(({ searchParams }) => searchParams.get('by')?.includes('vendor'))).toBe(false)
})

test('keys move through all entries, and only the focused one is a tab stop', async () => {
  await show('admin')
  const names: string[] = []
  for (let presses = 0; presses < 12; presses++) {
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
    'Kitchen',
    'Fouling, 86 %, 30',
    'Fouling',
    'Clearspring',
    'Office',
    '30',
    'RO-400',
  ])
  expect(
    within(document.body)
      .getAllByRole('button')
      .filter(({ tabIndex, dataset }) => tabIndex === 0 && dataset.command === 'overview.open'),
  ).toEqual([document.activeElement])
})

test('once the focused entry is gone, the first one is the tab stop and the one that opens', async () => {
  await show('admin')
  overviewFocus.entry = 'finding that has ended'
  const stops = () =>
    screen
      .getAllByRole('button')
      .filter(({ tabIndex, dataset }) => tabIndex === 0 && dataset.command === 'overview.open')
  await vi.waitFor(() =>
    expect(stops().map(stop => stop.getAttribute('aria-label'))).toEqual([expect.stringMatching(/^Act/)]),
  )
  expect(await runCommand('overview.open', { go: vi.fn<(path: string) => void>() })).toMatch(/^Selected/)
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

test('before any move, the first entry is the one that opens', async () => {
  await show('admin')
  await runCommand('overview.open', { go: vi.fn<(path: string) => void>() })
  expect(selections.devices.query).toEqual({ search: 'Act', column: 'health_state', operator: 'eq' })
})

test('all groups are shown in place, and keys move to them', async () => {
  const counts = { act: 1, watch: 0, good: 0, learning: 0 }
  supplies = Array.from({ length: 12 }, (_, index) => ({
    by: 'supply' as const,
    key: `s${index}`,
    name: `Supply ${index}`,
    counts,
  }))
  await show('admin')
  expect(screen.queryByRole('button', { name: /^Supply 11:/ })).toBeNull()
  expect(screen.getByRole('button', { name: /^Show 2 more/ })).toBeTruthy()
  await runCommand('overview.allGroups')
  await screen.findByRole('button', { name: /^Supply 11:/ })
  expect(screen.getByRole('button', { name: /^Show less/ })).toBeTruthy()
  overviewFocus.entry = 'supply s10'
  await runCommand('overview.down')
  expect(overviewFocus.entry).toBe('supply s11')
})

test('what is due soon is found by its day', async () => {
  await show('admin')
  overviewFocus.entry = 'due'
  await runCommand('overview.open', { go: vi.fn<(path: string) => void>() })
  expect(selections.devices.query).toEqual({ search: '2026-12-25', column: 'due_at', operator: 'le' })
})

test('a supply shows its water analysis, and a command sets it for the devices on the supply', async () => {
  const analysis = {
    vendor: { _id: 'v1', company_name: 'Clearspring' },
    water_supply: 'Harbour',
    water: {
      calcium_hardness: 280.5,
      alkalinity: 220,
      ph: 7.7,
      login: 'vendor',
      updated_at: '2026-03-01T00:00:00.000Z',
    },
  }
  const counts = { act: 3, watch: 1, good: 6, learning: 2 }
  const supply = (name: string, analyses: AnalysedSupply[]) => ({
    by: 'supply' as const,
    key: name,
    name,
    counts,
    analyses,
  })
  supplies = [supply('Harbour', [analysis]), supply('Hill', []), supply('Old town', [analysis, analysis])]
  await show('admin')
  for (const name of [
    'Harbour: 12, 3 act · 1 watch, Hardness 280.5, alkalinity 220 mg/l, pH 7.7, 6 good · 2 learning',
    'Hill: 12, 3 act · 1 watch, No water analysis, 6 good · 2 learning',
    'Old town: 12, 3 act · 1 watch, Water analyses of 2 vendors, 6 good · 2 learning',
  ])
    expect(screen.getByRole('button', { name }), name).toBeTruthy()

  const water = { calcium_hardness: 300, alkalinity: 200, ph: 7.5 }
  const availability = () => commandOf('overview.waterAnalysis').availability(currentContext())
  overviewFocus.entry = 'cause fouling'
  expect(availability()).toEqual({ is: 'blocked', reason: 'Move to a water supply first' })
  overviewFocus.entry = 'supply Hill'
  expect(availability()).toEqual({ is: 'ready' })
  const run = vi.fn<() => Promise<{ is: 'done' }>>().mockResolvedValue({ is: 'done' })
  const services: Partial<Services> = {
    progress: { report: () => undefined, signal: new AbortController().signal },
    runCommand: run,
  }
  await commandOf('overview.waterAnalysis')
    .prepare(currentContext(), water)
    .run(services as Services)
  expect(run).toHaveBeenCalledWith('device.waterAnalysis', water, [expect.objectContaining({ id: listed.bssid })])
})

test('a change that a supply shares is one line, which selects the devices of the supply', async () => {
  const ended = new Date(Date.now() - 40 * msPerDay).toISOString()
  changes = [change, { ...change, water_supply: 'Hill', began_at: ended, ended_at: ended }]
  await show('admin')
  const list = await screen.findByRole('list', { name: 'Changes in water supplies' })
  // What has ended long ago is not shown.
  expect(within(list).getAllByRole('button')).toHaveLength(1)
  const line = within(list).getByRole('button', {
    name: 'Feed TDS +60 % since Nov 3, 2026, Harbour · Clearspring · seen in 8 devices',
  })
  line.focus()
  const go = vi.fn<(path: string) => void>()
  expect(await runCommand('overview.open', { go })).toBe('Selected 1 device')
  expect(selections.devices.query).toEqual({ search: 'Harbour', column: 'water_supply', operator: 'eq' })
  expect(go).toHaveBeenCalledWith('/devices')
})

test('the devices of a supply without a label are selected by their ids, as long as they are known', async () => {
  const pressure: SupplyChange = { ...change, _id: 'c2', water_supply: null, cause: 'feed_pressure', change: -25 }
  changes = [
    { ...pressure, bssids: [listed.bssid] },
    { ...pressure, _id: 'c3', bssids: [], began_at: '2026-11-02T12:00:00.000Z' },
  ]
  await show('admin')
  const name = /^Feed pressure −25 % since Nov [23], 2026, No water supply set · Clearspring · seen in 8 devices$/
  const [known, unknown] = await screen.findAllByRole('button', { name })
  known!.focus()
  expect(await runCommand('overview.open', { go: vi.fn<(path: string) => void>() })).toMatch(/^Selected 1 device/)
  expect(selections.devices.items().map(({ id }) => id)).toEqual([listed.bssid])
  unknown!.focus()
  await expect(runCommand('overview.open')).rejects.toThrow('The devices of this change are on another supply now')
})

test('findings of one cause on one supply are one line, which selects their devices', async () => {
  const scaling = ['f2', 'f3', 'f4', 'f5', 'f6'].map(_id => ({ ...finding, _id, cause: 'scaling' as const }))
  newest = [...scaling, finding]
  findingGroups = [
    {
      _id: 'group1',
      vendor: { _id: 'v1', company_name: 'Clearspring' },
      water_supply: 'Harbour',
      cause: 'scaling',
      found_from: finding.detected_at,
      found_to: finding.detected_at,
      devices: 5,
      of: 12,
      findings: scaling.map(({ _id }) => _id),
      bssids: [listed.bssid],
    },
  ]
  await show('admin')
  const list = await screen.findByRole('list', { name: 'New findings of the last 7 days' })
  expect(within(list).getAllByRole('button')).toHaveLength(2)
  const line = within(list).getByRole('button', { name: 'Scaling: 5 of 12 devices on Harbour, Clearspring' })
  line.focus()
  const go = vi.fn<(path: string) => void>()
  expect(await runCommand('overview.open', { go })).toMatch(/^Selected 1 device/)
  expect(selections.devices.items().map(({ id }) => id)).toEqual([listed.bssid])
  expect(go).toHaveBeenCalledWith('/devices')
})

test('while the past of devices is still being computed, it says so, also where there are no findings yet', async () => {
  pending = 120
  newest = []
  const text = 'The past of 120 devices is still being computed: their findings follow.'
  render(<OverviewScreen />)
  expect((await screen.findByRole('status')).textContent).toBe(text)
  expect(await screen.findAllByText(text)).toHaveLength(2)
  expect(screen.queryByText('Nothing new was found.')).toBeNull()
})

test('a new finding opens its device', async () => {
  await show('admin')
  overviewFocus.entry = 'finding f1'
  const go = vi.fn<(path: string) => void>()
  await runCommand('overview.open', { go })
  expect(go).toHaveBeenCalledWith('/devices/30:AE:A4:04:74:8C')
})

test.each(['alarms 30:AE:A4:04:74:8D', 'mover 30:AE:A4:04:74:8F'])('%s opens its device', async entry => {
  await show('admin')
  overviewFocus.entry = entry
  const go = vi.fn<(path: string) => void>()
  await runCommand('overview.open', { go })
  expect(go).toHaveBeenCalledWith(`/devices/${entry.split(' ')[1]}`)
})

test('the alarm load is told in numbers, and as a picture with a name', async () => {
  await show('admin')
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent)
  expect(terms).toEqual(['Alarms a person-day', 'Time in flood', 'Most in 10 min'])
  const [aDay, flood, fullest] = screen
    .getAllByRole('term')
    .map(term => term.parentElement!.textContent!.slice(term.textContent!.length))
  expect(aDay).toBe('4.03 % of at most 144')
  expect(flood).toBe('0.3 %0.5 h of 10+ in 10 min')
  expect(fullest).toMatch(/^12Nov 24, 2026/)
  expect(screen.getByText('1 incident counts once instead of 40 notifications.')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Alarms by day: 26 in 7 days, at most 20 on Tue, Nov 24' })).toBeTruthy()
})

test('a table shows the same by day, newest first', async () => {
  await show('admin')
  await runCommand('overview.table')
  const rows = (await screen.findAllByRole('row')).map(({ textContent }) => textContent)
  expect(rows.slice(0, 3)).toEqual(['DayAlarmsIn floods', 'Wed, Nov 25, 202610', 'Tue, Nov 24, 20262012'])
  expect(screen.queryByRole('img')).toBeNull()
})

test('the range that a command chooses is asked for', async () => {
  await show('admin')
  await runCommand('overview.month')
  await vi.waitFor(() =>
    expect(requests.some(({ pathname, search }) => pathname.endsWith('/load') && search.includes('range=month'))).toBe(
      true,
    ),
  )
  expect(screen.getByRole('radio', { name: '30 days' }).getAttribute('aria-checked')).toBe('true')
})

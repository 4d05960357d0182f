/** The health of a device: score and finding, cartridges, table, explanation and help. */
import type { Finding } from '../../../../../src/api/contract/findings.ts'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Cartridge } from '../../../../../src/api/contract/devices.ts'
import { Explanation } from '../../../../../src/screens/devices/health/Explanation.tsx'
import { Forecasts } from '../../../../../src/screens/devices/health/Forecasts.tsx'
import { HealthSummary } from '../../../../../src/screens/devices/health/HealthSummary.tsx'
import { HealthTable } from '../../../../../src/screens/devices/health/HealthTable.tsx'
import { fouling, healthOf, lastDays } from '../../../support/deviceHealth.ts'

/** Observes an element of a page that is narrower than its tables, or not. */
const layout = { isNarrow: false, isPhone: false }
class ObservedOnce {
  readonly onResize: () => void
  constructor(onResize: () => void) {
    this.onResize = onResize
  }
  observe(element: Element) {
    const widths = { scrollWidth: 600, clientWidth: layout.isNarrow ? 300 : 600 }
    for (const [name, value] of Object.entries(widths)) Object.defineProperty(element, name, { value })
    this.onResize()
  }
  disconnect() {}
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 3, 1) })
  vi.stubGlobal('ResizeObserver', ObservedOnce)
  const nothing = () => {}
  vi.stubGlobal('matchMedia', () => ({
    matches: layout.isPhone,
    addEventListener: nothing,
    removeEventListener: nothing,
  }))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  layout.isNarrow = false
  layout.isPhone = false
})

test('the score names its worst part, and the finding its causes, change, neighbours, beginning and advice', () => {
  render(
    <HealthSummary
      health={healthOf({ findings: [fouling, { ...fouling, _id: 'f2', state: 'shelved' }] })}
      cartridges={[]}
    />,
  )
  expect(screen.getByRole('meter', { name: 'Health score' }).getAttribute('aria-valuenow')).toBe('42')
  expect(document.body.textContent).toContain('42 of 100ActWorst: Standard flow')
  const finding = screen.getByRole('article', { name: 'Finding' })
  expect(finding.textContent).toContain('Not sure: fouling 52 %, scaling 38 %')
  expect(finding.textContent).toContain('Standard flow −14 % (neighbours −1 %)')
  expect(finding.textContent).toContain('Since Mar 2, 2026 (Feb 20, 2026 – Mar 12, 2026)')
  expect(finding.textContent).toContain('Clean or replace the membrane')
  expect(finding.textContent).toContain('1 more finding')
})

test('what a person can say of a finding is offered where it is read, without keys that do nothing there', () => {
  const namesOf = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
  const { rerender } = render(<HealthSummary health={healthOf()} cartridges={[]} />)
  expect(namesOf()).toEqual(['Confirm', 'Confirm another cause', 'Dismiss', 'Shelve'])
  rerender(
    <HealthSummary
      health={healthOf({ findings: [{ ...fouling, state: 'shelved', verdict: 'fouling' }] })}
      cartridges={[]}
    />,
  )
  expect(namesOf()).toEqual(['Confirmed', 'Confirm another cause', 'Dismiss', 'Unshelve'])
  cleanup()
  render(<Explanation health={healthOf({ findings: [fouling, { ...fouling, _id: 'f2' }] })} />)
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(2)
})

test('a score of 0 has the colour of its state, and no learned day has none', () => {
  const { rerender } = render(<HealthSummary health={healthOf({ score: 0 })} cartridges={[]} />)
  const bar = () => screen.getByRole('meter').firstElementChild!
  expect(bar().className).toContain('min-w-2 bg-bad')
  rerender(<HealthSummary health={healthOf({ score: null, state: 'learning', learned: 0 })} cartridges={[]} />)
  expect(bar().className).not.toContain('min-w')
})

test('a device that is learned has its days instead of a score', () => {
  render(
    <HealthSummary
      health={healthOf({ score: null, state: 'learning', worst: null, learned: 5, findings: [] })}
      cartridges={[]}
    />,
  )
  expect(screen.getByRole('meter', { name: 'Days learned' }).getAttribute('aria-valuenow')).toBe('5')
  expect(document.body.textContent).toContain('Learning5 of 8 days')
})

test('a device that was met with an old membrane says since when it is compared', () => {
  const { rerender } = render(<HealthSummary health={healthOf()} cartridges={[]} />)
  expect(document.body.textContent).not.toContain('first day here')
  rerender(<HealthSummary health={healthOf({ first_seen: '2026-02-03T00:00:00.000Z' })} cartridges={[]} />)
  expect(document.body.textContent).toContain('Compared with Feb 3, 2026, its first day here')
})

test('each cartridge has a bar whose text tells when it is due, also after its due date', () => {
  const cartridge = (model: string, type: 0 | 2): Cartridge =>
    ({ _id: model, model, type, installed_at: '2026-01-01T00:00:00.000Z' }) as Cartridge
  render(<Forecasts health={healthOf()} cartridges={[cartridge('PP-5', 0), cartridge('TFC', 2)]} />)
  const [first, second] = within(screen.getByRole('list', { name: 'Cartridges due' })).getAllByRole('listitem')
  // Positions may have gaps: the second cartridge is at position 3.
  expect(first?.textContent).toContain('PP-5 Pre-filterin 12 days')
  expect(first?.textContent).toContain('by litres')
  expect(first?.textContent).not.toContain('typical')
  expect(within(first!).getByRole('img').getAttribute('aria-label')).toBe(
    'PP-5: due Apr 13, 2026, between Apr 6, 2026 and May 11, 2026',
  )
  expect(second?.textContent).toContain('TFC Membraneoverdue 3 days')
  expect(second?.textContent).toContain('by its condition · typical')
})

test('a forecast by like pre-filters says how many, in the list and in the explanation', () => {
  const [forecast] = healthOf().forecasts
  const health = healthOf({ forecasts: [{ ...forecast!, basis: 'condition', like_ends: 12 }] })
  render(<Forecasts health={health} cartridges={[]} />)
  const list = within(screen.getByRole('list', { name: 'Cartridges due' }))
  expect(list.getByRole('listitem').textContent).toContain('by 12 like pre-filters on this supply')
  cleanup()
  const coverage = [{ kind: 0, outcomes: 7, inside: 6, replaced_early: 0, typical: true }]
  const { rerender } = render(<Explanation health={{ ...health, coverage }} />)
  const reason = '12 pre-filters on this supply lost 20 % of the pressure after more litres than this one has filtered.'
  expect(document.body.textContent).toContain(reason)
  rerender(<Explanation health={healthOf({ coverage })} />)
  expect(document.body.textContent).not.toContain('on this supply lost')
})

test('the table has the days, newest first, in % of new', () => {
  render(<HealthTable health={healthOf()} zone="UTC" />)
  const rows = screen.getAllByRole('row')
  expect(rows[0]?.textContent).toContain('DayStandard flow, %Salt passage, %')
  expect(rows[1]?.textContent).toMatch(/Mar 31, 2026.*86\.0.*109\.3/)
  expect(rows).toHaveLength(91)
})

test('the explanation says whether the temperature coefficients are general or of the membrane type', () => {
  const { rerender } = render(<Explanation health={healthOf()} />)
  expect(document.body.textContent).toContain('K 3,020 below 25 °C, otherwise 2,640, as usual')
  const correction = { water: -120, salt: 350.4, fitted_at: '2026-03-01T00:00:00.000Z' }
  rerender(<Explanation health={healthOf({ correction })} />)
  const text = document.body.textContent
  expect(text).toContain('Flow: K 2,900 below 25 °C, otherwise 2,520. Salt: K 3,370 below 25 °C, otherwise 2,990')
  expect(text).toContain('Fitted to this membrane type from how its devices follow the seasons, on Mar 1, 2026')
})

test('the explanation has observed and expected changes, what speaks against them, tests, formulas and sources', () => {
  render(<Explanation health={healthOf()} />)
  const table = screen.getByRole('table')
  expect(within(table).getByRole('columnheader', { name: 'Fouling expects' })).toBeTruthy()
  expect(within(table).getByRole('columnheader', { name: 'Scaling expects' })).toBeTruthy()
  expect(within(table).getByRole('row', { name: /^Standard flow/ }).textContent).toContain(
    'Standard flow−14 % ± 2 %−15 %−10 %−1 % (7)0.197 l/min/bar30',
  )
  const text = document.body.textContent
  expect(text).toContain('Salt passage: +22 % ± 4 %, expected 0 %')
  expect(text).toContain('Runner-up: Scaling, 38 %')
  expect(text).toContain('with fouling it comes back')
  expect(text).toContain('For Scaling: Measure the hardness')
  expect(text).toContain('New 0.197 l/min/bar; trend ln = −0.151 ± 0.070')
  expect(text).toContain('[A] ASTM D4516-19a')
})

test('a table that does not fit says that it scrolls', () => {
  render(<Explanation health={healthOf()} />)
  expect(screen.queryByText(/^Scroll sideways/)).toBeNull()
  cleanup()
  layout.isNarrow = true
  render(<Explanation health={healthOf()} />)
  expect(screen.getByText(/^Scroll sideways/)).toBeTruthy()
})

test('on a phone the columns of what was observed are below each other', () => {
  layout.isPhone = true
  render(<Explanation health={healthOf()} />)
  expect(screen.queryByRole('table')).toBeNull()
  const rows = within(screen.getByRole('list', { name: 'Observed against expected' })).getAllByRole('listitem')
  expect(
    rows.map(row =>
      within(row)
        .getAllByRole('term')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual(Array(2).fill(['Observed', 'Fouling expects', 'Scaling expects', 'Neighbours', 'New', 'Days']))
  expect(rows[1]!.textContent).toContain(
    'Observed−14 % ± 2 %Fouling expects−15 %Scaling expects−10 %Neighbours−1 % (7)',
  )
})

test('the table and the summary say that the bypass hides the salt passage, and the score leaves it out', () => {
  const hidden = healthOf({ salt_hidden: true, trends: { b: { baseline: -3, level: 1, deviation: 0.01, error: 2 } } })
  render(<HealthTable health={hidden} zone="UTC" />)
  expect(screen.getByRole('columnheader', { name: /^Salt passage/ }).textContent).toBe(
    'Salt passage, % (hidden by the bypass)',
  )
  cleanup()
  render(<HealthSummary health={hidden} cartridges={[]} />)
  expect(document.body.textContent).toContain('The bypass hides the salt passage of the membrane')
  cleanup()
  render(<Explanation health={hidden} />)
  expect(document.body.textContent).not.toContain('Salt passage: 1 −')
})

test('a device whose stored days are still being computed says so in place of a score', () => {
  const pending = healthOf({ score: null, state: 'learning', worst: null, learned: 0, pending: true, findings: [] })
  const { rerender } = render(<HealthSummary health={pending} cartridges={[]} />)
  expect(screen.getByText('The stored days of this device are still being computed.')).toBeDefined()
  rerender(<Explanation health={pending} />)
  expect(document.body.textContent).toContain('are still being computed')
  const learning = { ...pending, pending: false }
  rerender(<HealthSummary health={learning} cartridges={[]} />)
  expect(document.body.textContent).toContain('Learning what is usual for this device.')
})

test('formulas have the numbers of the last days', () => {
  render(<Explanation health={healthOf({ rated_flow: lastDays })} />)
  expect(document.body.textContent).toContain('Last days: 0.400 ÷ (4.00 − 0.346 + 0.014) ÷ 0.703 = 0.155 l/min/bar')
})

test('a device with days that rinse its membrane says why it has learned none', () => {
  const rinsed = healthOf({
    score: null,
    state: 'learning',
    worst: null,
    learned: 0,
    findings: [],
    rinsed: { days: 5, litres: 11.6 },
  })
  const text =
    'The first 20.0 l of a membrane, and at least its first 3 days, rinse it and do not count: so far 11.6 l in 5 days.'
  const { rerender } = render(<HealthSummary health={rinsed} cartridges={[]} />)
  expect(screen.getByText('0 of 8 days')).toBeDefined()
  expect(screen.getByText(text)).toBeDefined()
  rerender(<Explanation health={rinsed} />)
  expect(screen.getByText(text)).toBeDefined()
})

test('a score without a part that has not been measured for long is not sure, and says so', () => {
  const old = healthOf({ worst: 'life', stale: ['a'] })
  const text = 'Not measured in the last 30 days of use: standard flow. The score is without it.'
  const { rerender } = render(<HealthSummary health={old} cartridges={[]} />)
  expect(screen.getByText('not sure')).toBeDefined()
  expect(screen.getByText(text)).toBeDefined()
  rerender(<Explanation health={old} />)
  expect(screen.getByText(text)).toBeDefined()
})

test('a score whose parts are not measured is not sure, and says why', () => {
  const unsure = 'The outlet TDS sensor is reported as defective. Not measured until then: salt passage.'
  const { rerender } = render(
    <HealthSummary health={healthOf({ defective_sensors: ['outlet_tds_sensor'] })} cartridges={[]} />,
  )
  expect(screen.getByText('not sure')).toBeDefined()
  expect(document.body.textContent).toContain(unsure)
  rerender(<Explanation health={healthOf({ defective_sensors: ['outlet_tds_sensor'] })} />)
  expect(document.body.textContent).toContain(unsure)
  // The restrictor is no part of the score.
  rerender(<HealthSummary health={healthOf({ defective_sensors: ['inlet_flow_sensor'] })} cartridges={[]} />)
  expect(screen.queryByText('not sure')).toBeNull()
  expect(document.body.textContent).toContain('The score does not need it.')
  rerender(<HealthSummary health={healthOf()} cartridges={[]} />)
  expect(document.body.textContent).not.toContain('defective')
})

test('without a finding, what makes the score and what to do is said', () => {
  const clogged = { h: { baseline: -0.05, level: Math.log(0.81), deviation: 0.01, error: 0.01 } }
  const { rerender } = render(
    <HealthSummary health={healthOf({ findings: [], worst: 'h', trends: clogged })} cartridges={[]} />,
  )
  expect(document.body.textContent).toContain(
    'Running pressure has fallen by 19 % since the pre-filter was installed: replace the pre-filter.No open findings.',
  )
  const cartridge = {
    model: 'TFC',
    type: 2,
    replace_at: '2026-04-11T00:00:00.000Z',
    ttl: 100,
    total: 0,
    resource: 1000,
  } as Cartridge
  rerender(
    <HealthSummary health={healthOf({ findings: [], state: 'watch', worst: 'life' })} cartridges={[cartridge]} />,
  )
  expect(document.body.textContent).toContain('TFC, membrane has 10 % of its life left: plan to replace it.')
})

test('a cartridge that is used up has one day, and no interval', () => {
  const at = '2026-03-17T00:00:00.000Z'
  const [forecast] = healthOf().forecasts
  const forecasts = [{ ...forecast!, basis: 'condition' as const, due_at: at, early_at: at, late_at: at }]
  render(<Forecasts health={healthOf({ forecasts })} cartridges={[]} />)
  const item = within(screen.getByRole('list', { name: 'Cartridges due' })).getByRole('listitem')
  expect(item.textContent).toContain('overdue 15 daysMar 17, 2026 · by its condition')
  expect(within(item).getByRole('img').getAttribute('aria-label')).toBe('Cartridge 2: due Mar 17, 2026')
})

test('an unknown cause expects nothing, and nothing speaks against it', () => {
  const unknown: Finding = {
    ...fouling,
    cause: 'unknown',
    confidence: 96,
    alternatives: [{ cause: 'scaling', confidence: 4 }],
  }
  render(<Explanation health={healthOf({ findings: [unknown] })} />)
  expect(screen.getByRole('heading', { name: 'Not sure' })).toBeTruthy()
  expect(screen.queryByRole('columnheader', { name: /expects/ })).toBeNull()
  expect(document.body.textContent).toContain('No known cause fits what was observed.')
  expect(document.body.textContent).not.toContain('Speaks against it')
  cleanup()
  const possible: Finding = { ...unknown, alternatives: [{ cause: 'scaling', confidence: 20 }] }
  render(<Explanation health={healthOf({ findings: [possible] })} />)
  expect(screen.getByRole('heading', { name: 'Not sure, possibly scaling 20 %' })).toBeTruthy()
  expect(screen.getAllByRole('columnheader', { name: /expects/ }).map(each => each.textContent)).toEqual([
    'Scaling expects',
  ])
})

test('the explanation and the cartridges show how forecasts turned out, also those of the device', () => {
  const coverage = [{ kind: 2, outcomes: 143, inside: 116, replaced_early: 2, typical: false }]
  const forecast = {
    position: 1,
    kind: 2,
    made_at: '2025-10-01T00:00:00.000Z',
    due_at: '2026-01-01T00:00:00.000Z',
    early_at: '2025-12-01T00:00:00.000Z',
    late_at: '2026-02-01T00:00:00.000Z',
    basis: 'litres',
    ended_at: '2026-01-15T00:00:00.000Z',
    replaced_early: false,
    inside: true,
  } as const
  const past_forecasts = [
    forecast,
    { ...forecast, position: 2, inside: false, ended_at: '2025-11-01T00:00:00.000Z' },
    { ...forecast, position: 3, inside: null, replaced_early: true },
    { ...forecast, position: 4, inside: false, ended_at: '2026-03-01T00:00:00.000Z' },
  ]
  const health = healthOf({ coverage, past_forecasts })
  render(<Explanation health={health} />)
  expect(document.body.textContent).toContain('Of 143 forecasts of membranes 81 % ended inside their interval · 2 more')
  const table = within(screen.getByRole('table', { name: 'Earlier forecasts of this device' }))
  expect(table.getAllByRole('row').map(row => row.lastElementChild?.textContent)).toEqual([
    'Outcome',
    'inside',
    'ended earlier',
    'replaced early',
    'lasted longer',
  ])
  expect(table.getByRole('row', { name: /^2 Membrane/ }).textContent).toContain('Dec 1, 2025 – Feb 1, 2026Jan 15, 2026')
  cleanup()
  render(<Forecasts health={health} cartridges={[]} />)
  expect(screen.getByRole('list', { name: 'How forecasts turned out' }).textContent).toContain('Of 143 forecasts')
})

test('old weeks are told apart from days in the table', () => {
  const points = [
    { at: '2024-01-01T00:00:00.000Z', days: 7, values: { a: 0 }, errors: { a: 0.03 }, measured: {} },
    { at: '2026-01-01T00:00:00.000Z', days: 1, values: { a: 0 }, errors: { a: 0.03 }, measured: {} },
  ]
  render(<HealthTable health={healthOf({ points })} zone="UTC" />)
  expect(screen.getAllByRole('rowheader').map(each => each.textContent)).toEqual([
    'Thu, Jan 1, 2026',
    'Week of Mon, Jan 1, 2024',
  ])
})

test('findings that have ended are told apart, with what people found out', () => {
  const ended = { ...fouling, state: 'dismissed', verdict: 'none', ended_at: '2026-03-30T00:00:00.000Z' } as const
  render(<Explanation health={healthOf({ findings: [ended] })} />)
  expect(document.body.textContent).toContain('No open findings.')
  expect(screen.getByText(/^Fouling, dismissed/).textContent).toContain('Confirmed: nothing was wrong')
})

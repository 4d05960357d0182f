/** The cells of health in the list of devices. */
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { deviceColumns } from '../../../../src/domain/columns/devices.ts'
import { findingColumns } from '../../../../src/domain/columns/findings.ts'
import { causeSearch } from '../../../../src/domain/columns/healthSearches.ts'
import { causes } from '../../../../src/domain/health/types/assessment.ts'
import { deviceCells } from '../../../../src/screens/devices/cells.tsx'

const now = Date.UTC(2026, 5, 15, 12)
const day = 86_400_000
const iso = (days: number) => new Date(now + days * day).toISOString()

beforeEach(() => void vi.useFakeTimers({ now }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const cell = (id: 'health_score' | 'due_at', health: Partial<Device['health']>) => {
  const none = {
    score: null,
    unsure: false,
    state: 'learning',
    cause: null,
    due_at: null,
    due_early: null,
    due_late: null,
  } as const
  const { container } = render(deviceCells[id]!({ health: { ...none, ...health } } as unknown as Device))
  return container
}

test('a score has its cause as text, and the colour of its state', () => {
  const act = cell('health_score', { score: 42, state: 'act', cause: 'fouling' })
  expect(act.textContent).toContain('42 · Fouling')
  expect(act.querySelector<HTMLElement>('.bg-bad')?.style.width).toBe('42%')
  const good = cell('health_score', { score: 93, state: 'good', worst: 'a' })
  expect(good.textContent).toMatch(/^93$/)
  expect(good.querySelector('.bg-ok')).toBeTruthy()
})

test('a score of 0 still has the colour of its state', () => {
  expect(cell('health_score', { score: 0, state: 'act', cause: 'leak' }).querySelector('.bg-bad.min-w-1')).toBeTruthy()
})

test('a device without a known cause is shown as not sure', () => {
  expect(cell('health_score', { score: 42, state: 'act', cause: 'unknown' }).textContent).toContain('42 · Not sure')
})

test.each(causes)('devices and findings are searched and exported by the cause that their list shows: %s', cause => {
  const { search } = causeSearch(cause)
  expect(cell('health_score', { score: 42, state: 'act', cause }).textContent).toContain(`42 · ${search}`)
  expect([deviceColumns.health_cause.names[cause], findingColumns.cause.names[cause]]).toEqual([search, search])
})

test('a low score without a cause says what it is low for', () => {
  expect(cell('health_score', { score: 38, state: 'act', worst: 'h' }).textContent).toContain('38 · Less pressure')
  expect(cell('health_score', { score: 70, state: 'watch', worst: 'life' }).textContent).toContain(
    '70 · Cartridge life',
  )
})

test('a score that needs a defective sensor is shown as not sure, with the reason', () => {
  const unsure = cell('health_score', { score: 93, unsure: true, state: 'good', worst: 'a' })
  expect(unsure.textContent).toContain('93 · not sure')
  expect(unsure.querySelector('[title="Not sure, because a part is not measured"]')).toBeTruthy()
  const both = cell('health_score', { score: 42, unsure: true, state: 'act', cause: 'fouling' })
  expect(both.textContent).toContain('42 · not sure · Fouling')
})

test('a device without a score is learned', () => {
  expect(cell('health_score', {}).textContent).toMatch(/^Learning$/)
})

test.each([
  [12.5, 'in 12 days'],
  [1.2, 'in 1 day'],
  [0.5, 'today'],
  [-0.5, 'overdue'],
  [-3.1, 'overdue 3 days'],
])('%d days from now: %s', (days, text) => {
  expect(cell('due_at', { due_at: iso(days) }).textContent).toBe(text)
})

test.each([
  [8, 32, 'in 20 days ± 12 d'],
  [20, 20, 'in 20 days'],
  [19.9, 20.3, 'in 20 days'],
])('due in 20 days, between %d and %d: %s', (early, late, text) => {
  expect(cell('due_at', { due_at: iso(20), due_early: iso(early), due_late: iso(late) }).textContent).toBe(text)
})

test('the interval is the title, and the colour tells that it has begun or passed', () => {
  const early = cell('due_at', { due_at: iso(20), due_early: iso(-2), due_late: iso(40) }).querySelector('span')
  expect([...(early?.classList ?? [])]).toContain('text-warn')
  expect(early?.title).toMatch(/2026 – .*2026/)
  expect([
    ...(cell('due_at', { due_at: iso(-1), due_early: iso(-20), due_late: iso(9) }).querySelector('span')?.classList ??
      []),
  ]).toContain('text-bad')
  expect([
    ...(cell('due_at', { due_at: iso(90), due_early: iso(60), due_late: iso(99) }).querySelector('span')?.classList ??
      []),
  ]).not.toContain('text-warn')
  expect(cell('due_at', {}).textContent).toContain('–')
})

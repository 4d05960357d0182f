import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chartModel } from '../../../../src/domain/charts/lines.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { CursorStatus } from '../../../../src/screens/charts/CursorStatus.tsx'
import { cursor } from '../../../../src/store/charts.ts'
import { sampleDevice } from '../../support/charts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  Object.assign(cursor, { x: undefined, chart: undefined })
  vi.useRealTimers()
})

const device = sampleDevice({
  range: 'day',
  until: Date.UTC(2026, 5, 1),
  zone: 'UTC',
  valuesAt: place => ({ pressure: place + 1 }),
})
const model = chartModel([device], { zone: 'UTC', perDevice: false })
const statusText = () => screen.getByRole('status', { name: 'At the cursor' }).textContent
/** Valtio notifies subscribers asynchronously. */
const moveTo = (row: number) =>
  act(async () => {
    Object.assign(cursor, { x: model.grid.rows[row]!.x, chart: 'pressure' })
    await vi.advanceTimersByTimeAsync(100)
  })
const pause = () => act(() => vi.advanceTimersByTimeAsync(1000))

test('the values at the cursor are announced when it stops, and not while it moves', async () => {
  render(<CursorStatus model={model} units={defaultUnits} hidden={new Set()} marks={[]} />)
  await moveTo(0)
  expect(statusText()).toBe('')
  await pause()
  const first = statusText()
  expect(first).toContain('A 1.00 bar.')
  for (const row of [1, 2, 3, 4, 5]) {
    await moveTo(row)
    expect(statusText()).toBe(first)
  }
  await pause()
  expect(statusText()).toContain('A 6.00 bar.')
})

import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chartModel } from '../../../../src/domain/charts/lines.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { CursorStatus } from '../../../../src/screens/charts/CursorStatus.tsx'
import { cursor } from '../../../../src/store/charts.ts'
import { madeDevice } from '../../support/charts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  Object.assign(cursor, { x: undefined, chart: undefined })
  vi.useRealTimers()
})

const device = madeDevice({
  range: 'day',
  until: Date.UTC(2026, 5, 1),
  zone: 'UTC',
  read: place => ({ pressure: place + 1 }),
})
const model = chartModel([device], { zone: 'UTC', perDevice: false })
const said = () => screen.getByRole('status', { name: 'At the cursor' }).textContent
/** Valtio tells of a change a moment later. */
const moveTo = (row: number) =>
  act(async () => {
    Object.assign(cursor, { x: model.grid.rows[row]!.x, chart: 'pressure' })
    await vi.advanceTimersByTimeAsync(100)
  })
const rest = () => act(() => vi.advanceTimersByTimeAsync(1000))

test('what the cursor reads is said each time it has come to rest, and not on its way', async () => {
  render(<CursorStatus model={model} units={defaultUnits} hidden={new Set()} marks={[]} />)
  await moveTo(0)
  expect(said()).toBe('')
  await rest()
  const first = said()
  expect(first).toContain('A 1.00 bar.')
  for (const row of [1, 2, 3, 4, 5]) {
    await moveTo(row)
    expect(said()).toBe(first)
  }
  await rest()
  expect(said()).toContain('A 6.00 bar.')
})

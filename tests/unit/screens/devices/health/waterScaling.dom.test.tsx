/** What the water of a supply does in a device: the picture, the words and the explanation. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceHealth } from '../../../../../src/api/contract/health/device.ts'
import { scalingIndices } from '../../../../../src/domain/health/water/scaling.ts'
import { Explanation } from '../../../../../src/screens/devices/health/Explanation.tsx'
import { WaterScaling } from '../../../../../src/screens/devices/health/WaterScaling.tsx'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import '../../../support/allCommands.ts'
import { healthOf } from '../../../support/deviceHealth.ts'

beforeEach(() => setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'vendor', login: 'vendor' }))
afterEach(() => {
  cleanup()
  clearSession()
})

const conditions = { recovery: 0.5, temperature: 15, tds: 420 }
const entered = { login: 'vendor', updated_at: '2026-03-01T00:00:00.000Z' }
const hard = { calcium_hardness: 210, alkalinity: 180.5, ph: 7.5 }
const soft = { calcium_hardness: 25, alkalinity: 30, ph: 7 }
const on = (water: typeof hard, of = conditions): Pick<DeviceHealth, 'water' | 'scaling'> => ({
  water: { ...water, ...entered },
  scaling: { ...of, indices: scalingIndices(water, of) },
})
const show = (health: Pick<DeviceHealth, 'water' | 'scaling'>, water_supply: string | null = 'Harbour main') => {
  render(<WaterScaling device={{ water_supply }} health={healthOf(health)} />)
  return document.body.textContent
}

test('hard water scales in the concentrate, and the text says why and what helps', () => {
  const text = show(on(hard))
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'Langelier index: feed −0.07, concentrate +0.81; scaling is possible above 0',
  )
  expect(text).toContain('Above 0: scaling is possible.')
  expect(text).toContain('recovery of 50 % and 15.0 °C')
  expect(text).toContain('The feed itself is close to 0 or above: a lower recovery alone is not enough')
  expect(text).toContain('Calcium hardness210 mg/l CaCO₃Alkalinity180.5 mg/l CaCO₃pH7.5')
  expect(text).toContain('Harbour main, entered by vendor on Mar 1, 2026')
})

test('where the feed is well below 0, the text names the recovery at which the concentrate is not', () => {
  const moderate = { ...hard, ph: 7.1 }
  expect(show(on(moderate))).toContain('At a recovery of 31 % it would be 0: a lower recovery and more flushing help.')
})

test('soft water does not', () => {
  const text = show(on(soft))
  expect(text).toContain('Not above 0: carbonate stays dissolved')
  expect(text).toContain('It would reach 0 at a recovery of')
})

test('there is no index of a concentrate that is too salty, nor before the device is known', () => {
  expect(show(on(hard, { ...conditions, tds: 6000 }))).toContain('more than 10,000 ppm')
  cleanup()
  expect(show({ ...on(hard), scaling: null })).toContain('The index follows once')
})

test('without an analysis or a supply, the button of the missing step is shown', () => {
  expect(show({ water: null, scaling: null })).toContain('Nobody has entered the water of “Harbour main” yet')
  expect(screen.getByRole('button', { name: /Set water analysis/ })).toBeTruthy()
  cleanup()
  expect(show({ water: null, scaling: null }, null)).toContain('Its water supply is not known')
  expect(screen.getByRole('button', { name: /Set water supply/ })).toBeTruthy()
})

/** Nothing has a size in this page. */
class ResizesNever {
  observe() {}
  disconnect() {}
}

test('the explanation has the formula with the numbers of feed and concentrate, and its sources', () => {
  vi.stubGlobal('ResizeObserver', ResizesNever)
  render(<Explanation health={healthOf({ ...on(hard), findings: [] })} />)
  const table = screen.getByRole('table')
  expect(within(table).getByRole('row', { name: /^Feed/ }).textContent).toBe('Feed−0.077.50420 ppm210181')
  expect(within(table).getByRole('row', { name: /^Concentrate/ }).textContent).toBe('Concentrate+0.817.80840 ppm420361')
  const text = document.body.textContent
  expect(text).toContain('pH − (9.3 + A + B − C − D) [L], at 15.0 °C')
  expect(text).toContain('1 ÷ (1 − Y) = 2.00 times as high at the recovery Y of 50 %')
  expect(text).toContain('[L] ASTM D3739')
  expect(text).toContain('scaling counts 2 times as much as without')
  cleanup()
  render(<Explanation health={healthOf({ ...on(soft), findings: [] })} />)
  expect(document.body.textContent).toContain('scaling counts 20 times less than without')
  cleanup()
  render(<Explanation health={healthOf({ findings: [] })} />)
  expect(document.body.textContent).not.toContain('Langelier')
})

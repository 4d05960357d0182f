/** The flow of the membrane now and at the conditions of NSF/ANSI 58. */
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { RatedFlow } from '../../../../../src/screens/devices/health/RatedFlow.tsx'
import { preferences } from '../../../../../src/store/preferences.ts'
import { defaultUnits } from '../../../../../src/domain/units.ts'

afterEach(() => {
  cleanup()
  preferences.units = defaultUnits
})
const rated = {
  flow: 0.15,
  rated: 0.32,
  pressure: 2.5,
  temperature: 10,
  tds: 300,
  recovery: 0.4,
  permeate_tds: 15,
  rated_tds: 31,
}
const show = (of: Partial<typeof rated> | { permeate_tds: null } = {}) => {
  render(<RatedFlow rated={{ ...rated, ...of }} />)
  return document.body.textContent
}

test('both flows are named with their conditions', () => {
  const text = show()
  expect(text).toContain('0.15 l/min now, 0.32 l/min at NSF/ANSI 58 conditions')
  expect(text).toContain('Now: 2.50 bar, 10.0 °C, 300 ppm.')
  expect(text).toContain('3.45 bar, 25.0 °C, 750 ppm')
})

test('its salt is named where it is known', () => {
  expect(show()).toContain('Its salt: 15 ppm now, 31 ppm at these conditions, a rejection of 95.9 %')
  cleanup()
  expect(show({ permeate_tds: null })).not.toContain('salt')
})

test('in the units that the person has chosen', () => {
  preferences.units = { ...defaultUnits, pressure: 'psi', temperature: 'F', flow: 'gal/min', volume: 'gal' }
  const text = show()
  expect(text).toContain('0.040 gal/min now, 0.085 gal/min at NSF/ANSI 58 conditions')
  expect(text).toContain('50.0 psi, 77.0 °F, 750 ppm')
})

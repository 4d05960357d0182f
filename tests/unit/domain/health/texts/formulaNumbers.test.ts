/** The formulas of channels with a device's numbers. */
import { expect, test } from 'vitest'
import { formulaNumbers } from '../../../../../src/domain/health/texts/formulaNumbers.ts'
import { lastDays as days } from '../../../support/deviceHealth.ts'

test('the numbers of the last days give the value of the channel', () => {
  expect(formulaNumbers('a', days)).toBe('0.400 ÷ (4.00 − 0.346 + 0.014) ÷ 0.703 = 0.155 l/min/bar')
  expect(formulaNumbers('b', days)).toBe('20.0 ÷ 383 · 0.400 ÷ 0.703 = 29.69 ml/min')
  expect(formulaNumbers('r', days)).toBe('(1.000 − 0.400) ÷ √4.00 = 0.300 l/min/√bar')
})

test('what is not known has none', () => {
  expect(formulaNumbers('a', { ...days, permeate_tds: null })).toBeUndefined()
  expect(formulaNumbers('b', { ...days, permeate_tds: null })).toBeUndefined()
  expect(formulaNumbers('h', days)).toBeUndefined()
})

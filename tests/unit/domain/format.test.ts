import { describe, expect, test } from 'vitest'
import {
  formatElapsed,
  formatAmount,
  formatForInput,
  formatNumber,
  formatMatches,
  noValue,
  formatPercent,
} from '../../../src/domain/format.ts'
import { defaultUnits } from '../../../src/domain/units.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const before = (milliseconds: number) => new Date(now - milliseconds).toISOString()

test('numbers have separators and the given decimals', () => {
  expect(formatNumber(1234.56, 1)).toBe('1,234.6')
  expect(formatNumber(2, 2)).toBe('2.00')
})

test('a missing value is a dash', () => {
  expect(formatAmount(null, 'pressure', defaultUnits)).toBe(noValue)
  expect(formatPercent(null)).toBe(noValue)
  expect(formatPercent(0)).toBe('0.0')
})

test('amounts are formatted in the chosen unit', () => {
  expect(formatAmount(4, 'pressure', defaultUnits)).toBe('4.00')
  expect(formatAmount(4, 'pressure', { ...defaultUnits, pressure: 'psi' })).toBe('58.0')
  expect(formatAmount(20, 'temperature', { ...defaultUnits, temperature: 'F' })).toBe('68.0')
  expect(formatAmount(171.181, 'concentration', { ...defaultUnits, concentration: 'gpg' })).toBe('10.0')
})

test('amounts in a field have neither separators nor trailing zeros', () => {
  expect(formatForInput(1500, 'volume', defaultUnits)).toBe('1500')
  expect(formatForInput(2.5, 'volume', defaultUnits)).toBe('2.5')
})

describe('how long ago', () => {
  test.each([
    [0, 'now'],
    [1999, 'now'],
    [-5000, 'now'],
    [14_000, '14 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [47.9 * 3_600_000, '47 h'],
    [48 * 3_600_000, '2 d'],
  ])('%d ms', (elapsed, text) => expect(formatElapsed(before(elapsed), now)).toBe(text))
  test('never', () => expect(formatElapsed(null, now)).toBe('never'))
})

test('numbers are formatted as Intl does', () => {
  // Thousandths contain all halves that have to be rounded up.
  const thousandths = Array.from({ length: 40_000 }, (_, index) => (index * 5 - 20_000) / 1000)
  const values = [...thousandths, 999.95, 999.995, 123_456, 1_234_567.891, 987_654_321_012, 0.000_001]
  for (const digits of [0, 1, 2]) {
    const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    expect(values.filter(value => formatNumber(value, digits) !== format.format(value))).toEqual([])
  }
})

test('the number of matches says if it is an estimate', () => {
  expect(formatMatches(1204)).toBe('1,204')
  expect(formatMatches(180_000, true)).toBe('≈ 180,000')
})

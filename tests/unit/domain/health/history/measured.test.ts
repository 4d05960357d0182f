import { expect, test } from 'vitest'
import { emptySums } from '../../../../../src/domain/health/daySums.ts'
import { measuredBaseline, measuredValue } from '../../../../../src/domain/health/history/measured.ts'

test('a day has the mean of its flows, and of permeate over feed TDS', () => {
  const sums = { ...emptySums(), flows: 4, flow: 3.2, passages: 2, passage: 0.12 }
  expect(measuredValue('a', sums)).toBeCloseTo(Math.log(0.8), 12)
  expect(measuredValue('b', sums)).toBeCloseTo(Math.log(0.06), 12)
})

test('a day without readings, or that was stored without flow, has none', () => {
  expect(measuredValue('a', emptySums())).toBeUndefined()
  expect(measuredValue('b', emptySums())).toBeUndefined()
  expect(measuredValue('a', { ...emptySums(), passages: 2, passage: 0.1 })).toBeUndefined()
})

test('the baseline is the median of the eight days until it was learned, and of the next twelve', () => {
  const days = Array.from({ length: 40 }, (_, day) => ({ day, value: day }))
  expect(measuredBaseline(days, 10)).toBe(12.5)
  expect(measuredBaseline(days.slice(0, 11), 10)).toBe(6.5)
  expect(measuredBaseline(days.slice(9), 10)).toBe(15.5)
  expect(measuredBaseline([], 10)).toBeUndefined()
})

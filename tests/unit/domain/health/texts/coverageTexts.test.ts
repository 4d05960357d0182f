import { expect, test } from 'vitest'
import { coverageText, coveredShare, earlyText } from '../../../../../src/domain/health/texts/coverageTexts.ts'

const coverage = { kind: 2, outcomes: 143, inside: 116, replaced_early: 0, typical: false }

test('how forecasts turned out is told once there are 20 outcomes', () => {
  expect(coverageText(coverage)).toBe('Of 143 forecasts of membranes 81 % ended inside their interval')
  expect(coverageText({ ...coverage, outcomes: 7, typical: true })).toBe(
    'Membranes: typical interval; 7 own outcomes so far',
  )
  expect(coverageText({ ...coverage, kind: 0, outcomes: 1, typical: true })).toBe(
    'Pre-filters: typical interval; 1 own outcome so far',
  )
  expect(coveredShare({ ...coverage, outcomes: 19 })).toBeUndefined()
})

test('an interval that is typical still is told so, although there are 20 outcomes on different bases', () => {
  expect(coverageText({ ...coverage, outcomes: 20, inside: 15, typical: true })).toBe(
    'Of 20 forecasts of membranes 75 % ended inside their interval; the interval is typical so far',
  )
})

test('early replacements are told apart', () => {
  expect(earlyText(coverage)).toBeUndefined()
  expect(earlyText({ ...coverage, replaced_early: 3 })).toBe('3 more unknown: replaced early')
})

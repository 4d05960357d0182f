/** What is said of a finding: how sure it is, and what speaks against it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channelFormulas, formulaSources } from '../../../../../src/domain/health/texts/channelFormulas.ts'
import { channelTexts, partName, type Measured } from '../../../../../src/domain/health/texts/channelTexts.ts'
import { channelValue } from '../../../../../src/domain/health/texts/channelValues.ts'
import { causeNames } from '../../../../../src/domain/health/texts/causeNames.ts'
import { causeTexts } from '../../../../../src/domain/health/texts/causes.ts'
import {
  activeFindings,
  contradictions,
  correctionText,
  errorInWords,
  leadingEvidence,
  nothingAgainst,
  runnerUp,
} from '../../../../../src/domain/health/texts/explain.ts'
import { causes, type Cause } from '../../../../../src/domain/health/types/assessment.ts'
import { channels } from '../../../../../src/domain/health/types/channels.ts'
import { defaultUnits } from '../../../../../src/domain/units.ts'

const diagnosis = (cause: Cause, confidence: number, ...others: [Cause, number][]) => ({
  cause,
  confidence,
  alternatives: others.map(([other, share]) => ({ cause: other, confidence: share })),
})
const evidence = (channel: Measured, value: number, expected: [number, number | null], error = 0.02) => ({
  channel,
  value,
  error,
  unit: channel === 'rest' ? ('l/h' as const) : ('ln' as const),
  expected,
})

test('every cause and channel has its texts, and every source is known', () => {
  expect(Object.keys(causeNames).toSorted()).toEqual([...causes].toSorted())
  expect(Object.keys(causeTexts).toSorted()).toEqual([...causes].toSorted())
  for (const channel of channels) expect(channelTexts[channel].help).toHaveLength(5)
  for (const { sources } of Object.values(channelFormulas))
    for (const source of sources) expect(formulaSources).toHaveProperty(source)
})

test('the runner-up is the likeliest other cause, in any order', () => {
  expect(runnerUp(diagnosis('fouling', 50, ['fouling', 50], ['leak', 10], ['scaling', 40]))).toEqual({
    cause: 'scaling',
    confidence: 40,
  })
  expect(runnerUp(diagnosis('fouling', 99))).toBeUndefined()
})

test('the interval is twice the standard error', () => {
  expect(errorInWords({ error: 0.05, unit: 'l/h' })).toBe('± 0.1 l/h')
  expect(errorInWords({ error: 0.02, unit: 'ln' })).toBe('± 4 %')
  expect(errorInWords({ error: 0.0001, unit: 'ln' })).toBe('± 1 %')
})

describe('what speaks against a cause', () => {
  test('is a channel that is further from what it would show than its error', () => {
    expect(
      contradictions([
        evidence('a', -0.3, [-0.29, -0.2]),
        evidence('b', 0.18, [0, 0.1]),
        evidence('r', -0.05, [0, -0.1], 0.03),
      ]),
    ).toEqual(['Salt passage: +20 % ± 4 %, expected 0 %'])
  })

  test('is never what is within the error, nor a distance that nobody would measure', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: 0.001, max: 0.5, noNaN: true }),
        fc.double({ min: -0.99, max: 0.99, noNaN: true }),
        (expected, error, share) => {
          const within = expected + share * Math.max(2 * error, 0.03)
          expect(contradictions([evidence('a', within, [expected, null], error)])).toEqual([])
        },
      ),
    )
  })
})

test('open findings come before shelved ones, and those to act on before those to watch', () => {
  const finding = (
    state: 'open' | 'shelved' | 'resolved' | 'dismissed',
    severity: 'act' | 'watch',
    confidence: number,
  ) => ({
    ...diagnosis('fouling', confidence),
    state,
    severity,
  })
  const all = [
    finding('resolved', 'act', 99),
    finding('shelved', 'act', 90),
    finding('open', 'watch', 80),
    finding('dismissed', 'act', 70),
    finding('open', 'act', 60),
    finding('open', 'act', 65),
  ]
  expect(activeFindings(all).map(({ confidence }) => confidence)).toEqual([65, 60, 80, 90])
})

test('the leading evidence is what the cause changes most', () => {
  const all = [evidence('r', -0.2, [-0.09, 0]), evidence('a', -0.3, [-0.29, 0]), evidence('b', 0.4, [0.1, 0])]
  expect(leadingEvidence(all)?.channel).toBe('a')
  expect(leadingEvidence([])).toBeUndefined()
})

test.each([
  ['a', Math.log(0.197), '0.197 l/min/bar'],
  ['b', Math.log(0.05), '50.00 ml/min'],
  ['r', Math.log(0.3), '0.300 l/min/√bar'],
  ['h', Math.log(0.95), '95 %'],
  ['h', 0.04, '104 %'],
  ['h', Math.log(4.2), '60.9 psi'],
  ['p', Math.log(4.2), '60.9 psi'],
  ['f', Math.log(320), '320 ppm'],
  ['meter', Math.log(1.02), '102 %'],
] as const)('a value of %s is shown with its unit', (channel, logarithm, text) => {
  expect(channelValue(channel, logarithm, { ...defaultUnits, pressure: 'psi' })).toBe(text)
})

test('what decides the score has a name', () => {
  expect(partName('a')).toBe('Standard flow')
  expect(partName('life')).toBe('Life left of a cartridge')
  expect(partName('something new')).toBe('something new')
})

test('where one quantity alone shows the cause, it says that nothing was compared', () => {
  expect(nothingAgainst([evidence('f', -0.2, [-0.2, null])])).toMatch(
    /^Only one quantity shows this cause, so nothing else was compared: /,
  )
  expect(nothingAgainst([evidence('a', -0.3, [-0.3, -0.2])])).toBe('Nothing that was observed.')
  expect(nothingAgainst([evidence('a', -0.3, [-0.3, null]), evidence('b', 0, [0, null])])).toBe(
    'Nothing that was observed.',
  )
})

test('the coefficients of a type whose salt is not fitted are said to be the usual ones', () => {
  const fitted_at = '2026-03-01T12:00:00Z'
  const both = correctionText({ water: -400, salt: 300, fitted_at })
  expect(both).toContain('Salt: K 3,320 below 25 °C, otherwise 2,940. Fitted to this membrane type')
  const flowAlone = correctionText({ water: -400, salt: 0, fitted_at })
  expect(flowAlone).toContain('Flow: K 2,620 below 25 °C, otherwise 2,240, fitted to this membrane type')
  expect(flowAlone).toContain('Salt: K 3,020 below 25 °C, otherwise 2,640, as usual for such membranes')
})

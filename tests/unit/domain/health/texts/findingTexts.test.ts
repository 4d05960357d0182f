/** Findings in words. */
import { expect, test } from 'vitest'
import {
  causeText,
  changeText,
  findingsText,
  findingText,
  type DescribedFinding,
} from '../../../../../src/domain/health/texts/findingTexts.ts'
import { msPerDay } from '../../../../../src/domain/time.ts'

const now = Date.parse('2026-11-25T12:00:00Z')
const evidence = (values: Partial<DescribedFinding['evidence'][number]> = {}) => ({
  channel: 'a' as const,
  value: Math.log(0.86),
  error: 0.02,
  unit: 'ln' as const,
  neighbours: { n: 6, median: Math.log(0.99) },
  ...values,
})
const finding = (values: Partial<DescribedFinding> = {}): DescribedFinding => ({
  cause: 'fouling',
  confidence: 86,
  alternatives: [{ cause: 'scaling', confidence: 10 }],
  evidence: [evidence()],
  began_at: new Date(now - 38 * msPerDay).toISOString(),
  ...values,
})

test('findings of a group are a line with their supply or, without a label, their water', () => {
  const group = { cause: 'scaling', devices: 5, of: 9, water_supply: 'Storgata' } as const
  expect(findingsText(group)).toBe('Scaling: 5 of 9 devices on Storgata')
  expect(findingsText({ ...group, water_supply: null })).toBe('Scaling: 5 of 9 devices with similar feed water')
})

test('a finding is a line with its change, its time, its neighbours and its cause', () => {
  expect(findingText(finding(), now)).toBe('Standard flow −14 % in 38 days (neighbours −1 %): fouling, 86 %')
})

test('the change that is largest against its error is told', () => {
  const quiet = evidence({ channel: 'b', value: 0.3, error: 0.3 })
  expect(findingText(finding({ evidence: [quiet, evidence({ neighbours: null })] }), now)).toBe(
    'Standard flow −14 % in 38 days: fouling, 86 %',
  )
})

test('names that begin with several capitals keep them', () => {
  expect(
    findingText(finding({ cause: 'creep', evidence: [evidence({ channel: 'creep', value: Math.log(1.7) })] }), now),
  ).toBe('TDS creep +70 % since new (neighbours −1 %): TDS creep, 86 %')
})

test('what has worn is told since the device was new, and a share without a time', () => {
  const worn = (values: Parameters<typeof evidence>[0]) =>
    findingText(finding({ cause: 'worn', evidence: [evidence({ neighbours: null, ...values })] }), now)
  expect(worn({ value: Math.log(0.74) })).toBe('Standard flow −26 % since new: worn membrane, 86 %')
  expect(worn({ channel: 'b', value: 0.28, unit: 'share' })).toBe('Salt passage 28 %: worn membrane, 86 %')
})

test('what began today has lasted one day', () => {
  expect(findingText(finding({ began_at: new Date(now).toISOString() }), now)).toContain(' in 1 day ')
})

test('a cause that is not sure is called so, with the second one', () => {
  const unsure = { confidence: 52, alternatives: [{ cause: 'scaling', confidence: 38 }] as const }
  expect(causeText(finding(unsure))).toBe('Not sure: fouling 52 %, scaling 38 %')
  expect(causeText(finding({ confidence: 52, alternatives: [] }))).toBe('Not sure: fouling 52 %')
})

test('that no known cause fits is never sure, and names another only if it is possible', () => {
  const unknown = (confidence: number) =>
    causeText(finding({ cause: 'unknown', confidence: 99, alternatives: [{ cause: 'fouling', confidence }] }))
  expect(unknown(1)).toBe('Not sure')
  expect(unknown(12)).toBe('Not sure, possibly fouling 12 %')
})

test('without evidence only the cause is told', () => {
  expect(findingText(finding({ evidence: [] }), now)).toBe('Fouling, 86 %')
})

test.each([
  [0, 'ln', '0 %'],
  [Math.log(2), 'ln', '+100 %'],
  [-0.001, 'ln', '0 %'],
  [0.52, 'l/h', '0.5 l/h'],
  [0.28, 'share', '28 %'],
] as const)('a change of %f %s is %s', (value, unit, text) => {
  expect(changeText(value, unit)).toBe(text)
})

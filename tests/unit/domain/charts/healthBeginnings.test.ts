/** When findings began, on the charts of the channels that show them. */
import { expect, test } from 'vitest'
import {
  beginningInWords,
  beginningOn,
  beginningsOf,
  type BegunFinding,
} from '../../../../src/domain/charts/healthBeginnings.ts'
import { msPerDay } from '../../../../src/domain/time.ts'

const change = (channel: 'a' | 'b' | 'r', value: number, error: number, expected: number) => ({
  channel,
  value,
  error,
  unit: 'ln' as const,
  expected: [expected, null] as const,
})
const fouling: BegunFinding = {
  cause: 'fouling',
  severity: 'act',
  evidence: [change('a', -0.05, 0.04, -0.15), change('b', 0.2, 0.05, 0), change('r', 0.01, 0.04, 0)],
  began_early: '2026-02-20T00:00:00.000Z',
  began_at: '2026-03-02T00:00:00.000Z',
  began_late: '2026-03-12T00:00:00.000Z',
}
const likely = Date.UTC(2026, 2, 2)

test('a beginning is on the chart of what its cause changes, and of what has clearly changed', () => {
  const [begun] = beginningsOf([fouling], 'a')
  expect(begun).toMatchObject({ name: 'Fouling', likely, early: likely - 10 * msPerDay, late: likely + 10 * msPerDay })
  expect(beginningsOf([fouling], 'b')).toHaveLength(1)
  expect(beginningsOf([fouling], 'r')).toEqual([])
})

test('a beginning and each of its days are described in words', () => {
  const [begun] = beginningsOf([fouling], 'a')
  expect(beginningInWords(begun!)).toBe(
    'Fouling: began about Mon, Mar 2, 2026, between Fri, Feb 20, 2026 and Thu, Mar 12, 2026',
  )
  expect(beginningOn(begun!, likely)).toBe('Fouling: most likely began')
  expect(beginningOn(begun!, likely + 10 * msPerDay)).toBe('Fouling: may have begun')
  expect(beginningOn(begun!, likely + 11 * msPerDay)).toBeUndefined()
  expect(beginningsOf([{ ...fouling, cause: 'unknown' }], 'a')[0]!.name).toBe('Finding')
})

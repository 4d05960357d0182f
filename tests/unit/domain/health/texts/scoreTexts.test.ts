/** What is said of how the score is computed: what `score.ts` does. */
import { describe, expect, test } from 'vitest'
import {
  scoreFormulas,
  scoreRules,
  staleParts,
  staleText,
  noChartsText,
  worstText,
} from '../../../../../src/domain/health/texts/scoreTexts.ts'

/** A change since new of a channel. */
const since = (level: number, baseline = -1) => ({ baseline, level })

type Measured = Parameters<typeof scoreFormulas>[0]
const measured = (trends: Measured['trends'], stale: Measured['stale'] = []): Measured => ({
  trends,
  stale,
  salt_hidden: false,
})

test('only falls of flow and pressure and rises of salt count, beyond what sensors wander', () => {
  expect(scoreFormulas(measured({ a: since(-0.151), b: since(-0.4), h: since(-0.5) }))).toEqual([
    'Standard flow: 1 − (fall 0.151 − 0.031) ÷ 0.25 = 0.52',
    'Salt passage: 1 − (rise 0.000 − 0.063) ÷ 0.69 = 1.00',
    'Running pressure: 1 − (fall 0.500 − 0.038) ÷ 0.25 = 0.00',
  ])
  expect(scoreFormulas(measured({ brief: since(0.2) }))).toEqual([
    'Salt passage: 1 − (rise 0.200 − 0.063) ÷ 0.69 = 0.80',
  ])
})

test('the salt passage has no part where the bypass hides it', () => {
  expect(scoreFormulas({ ...measured({ b: since(0.4), h: since(0) }), salt_hidden: true })).toEqual([
    'Running pressure: 1 − (fall 0.000 − 0.038) ÷ 0.25 = 1.00',
  ])
})

test('what has not been measured for long has no part, and is said', () => {
  const glasses = measured({ b: since(0.5), brief: since(0.2) }, ['b'])
  expect(scoreFormulas(glasses)).toEqual(['Salt passage: 1 − (rise 0.200 − 0.063) ÷ 0.69 = 0.80'])
  expect(staleText(glasses)).toBeUndefined()
  const old = measured({ a: since(0), b: since(0.5), brief: since(0.2), h: since(0) }, ['b', 'brief', 'h'])
  expect(scoreFormulas(old)).toHaveLength(1)
  expect(staleText(old)).toBe(
    'Not measured in the last 30 days of use: salt passage and running pressure. The score is without it.',
  )
  expect(staleParts({ ...old, salt_hidden: true })).toEqual(['h'])
})

test('what is critical is said', () => {
  expect(scoreRules).toContain('less than 40 % of its life left counts as 1 − 0.5 × (1 − life left ÷ 40 %)')
  expect(scoreRules).toContain('says Act, and is at least 80 % sure')
})

test.each([
  [{ score: 92 }, 'No days with data in this range.'],
  [
    { rinsed: { days: 2, litres: 5 } },
    'Charts show changes against the device when new. They begin once its membrane is rinsed',
  ],
  [{ learned: 3 }, 'They begin once it is learned.'],
  [{}, 'No days with data yet.'],
])('a device with %j says why it has no charts', (health, text) => {
  expect(noChartsText({ score: null, rinsed: null, learned: 0, ...health })).toContain(text)
})

describe('the worst part', () => {
  const trends = { a: since(-0.25), brief: since(0.5), h: since(-0.21) }
  const health = { score: 33, state: 'act', trends, stale: [], first_seen: null } as const
  const text = (of: Partial<Parameters<typeof worstText>[0]>, isFound = false) =>
    worstText({ ...health, worst: 'h', ...of }, { name: 'PP-5, pre-filter', left: 0.084 }, isFound)

  test.each([
    ['a', 'Standard flow has fallen by 22 % besides ageing since the membrane was new: measure a litre with a cup'],
    ['b', 'Salt passage has risen by 65 % besides ageing since the membrane was new: measure the permeate with'],
    ['h', 'Running pressure has fallen by 19 % since the pre-filter was installed: replace the pre-filter.'],
    ['life', 'PP-5, pre-filter has 8 % of its life left: plan to replace it.'],
  ])('%s is said in a sentence, with what to do', (worst, sentence) => {
    expect(text({ worst })).toContain(sentence)
  })

  test('has less than 1 % of its life left where that is not zero', () => {
    const left = (share: number) => worstText({ ...health, worst: 'life' }, { name: 'PP-5', left: share }, false)
    expect(left(0.004)).toBe('PP-5 has less than 1 % of its life left: plan to replace it.')
    expect(left(0.006)).toBe('PP-5 has 1 % of its life left: plan to replace it.')
  })

  test('says less is to do if the device is only watched, or well', () => {
    expect(text({ state: 'watch' })).toContain(': plan to replace the pre-filter.')
    expect(text({ state: 'good' })).toContain(': nothing to do yet.')
  })

  test('is the booster pump where the pressure is that behind one', () => {
    const boosted = { h: since(-0.21, Math.log(5)) }
    expect(text({ trends: boosted })).toContain(': service the booster pump.')
  })

  test('is the pre-filter where the pressure was a little higher than at rest, which is no pump', () => {
    const steady = { h: since(-0.21, 0.04) }
    expect(text({ trends: steady })).toContain(': replace the pre-filter.')
  })

  test('is compared with the first day of a device whose membrane is older', () => {
    const first_seen = '2026-01-01T00:00:00Z'
    expect(text({ worst: 'a', first_seen })).toContain('besides ageing since its first day here:')
    expect(text({ first_seen })).toContain('since the pre-filter was installed:')
  })

  test('leaves the advice to a finding about the channel, and to a finding that makes the score 0', () => {
    expect(text({}, true)).toBe('Running pressure has fallen by 19 % since the pre-filter was installed.')
    expect(text({ worst: 'finding', score: 0 })).toBeUndefined()
  })

  test('is not said where nothing has changed', () => {
    expect(text({ score: 100 })).toBeUndefined()
    expect(text({ worst: 'a', trends: { a: since(-0.02) } })).toBeUndefined()
  })

  test('tells a cartridge that is used up', () => {
    const used = { name: 'TFC, membrane', left: 0 }
    expect(worstText({ ...health, worst: 'life' }, used, false)).toBe('TFC, membrane is used up: replace it.')
  })
})

/** What is said of how the score is computed: what `score.ts` does. */
import { expect, test } from 'vitest'
import { scoreFormulas, scoreRules } from '../../../../../src/domain/health/texts/scoreTexts.ts'

test('only falls of flow and pressure and rises of salt count, beyond what sensors wander', () => {
  expect(scoreFormulas({ a: { level: -0.151 }, b: { level: -0.4 }, h: { level: -0.5 } })).toEqual([
    'Standard flow: 1 − (fall 0.151 − 0.031) ÷ 0.25 = 0.52',
    'Salt passage: 1 − (rise 0.000 − 0.063) ÷ 0.69 = 1.00',
    'Running pressure: 1 − (fall 0.500 − 0.038) ÷ 0.25 = 0.00',
  ])
  expect(scoreFormulas({ brief: { level: 0.2 } })).toEqual(['Salt passage: 1 − (rise 0.200 − 0.063) ÷ 0.69 = 0.80'])
})

test('what is critical is said', () => {
  expect(scoreRules).toContain('less than 40 % of its life left counts as 1 − 0.5 × (1 − life left ÷ 40 %)')
  expect(scoreRules).toContain('says Act, and is at least 80 % sure')
})

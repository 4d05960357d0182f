import { expect, test } from 'vitest'
import { scoreOf } from '../../../../src/domain/health/score.ts'
import { run } from './samples.ts'

const { state } = run({ days: 40 })

test.each([
  [1, 'good'],
  [0.5, 'good'],
  [0.24, 'good'],
  [0.23, 'watch'],
  [0, 'watch'],
] as const)('with %f of its life left, a healthy device is %s', (life, expected) => {
  expect(scoreOf(state, [], life).state).toBe(expected)
})

test('a cartridge at its end alone asks for no action', () => {
  expect(scoreOf(state, [], 0)).toMatchObject({ score: 50, worst: 'life' })
})

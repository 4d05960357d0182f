/** Which findings go on that a device had before its health was computed again. */
import { expect, test } from 'vitest'
import { resumeFindings, type EarlierFinding } from '../../../../../src/domain/health/history/earlierFindings.ts'
import { stepDay } from '../../../../../src/domain/health/stepDay.ts'
import type { HealthState } from '../../../../../src/domain/health/types/state.ts'
import { usualContext } from '../samples.ts'

const earlier = (number: number, days: Partial<EarlierFinding>): EarlierFinding => ({
  number,
  group: 'membrane',
  began: 90,
  detected: 100,
  ended: null,
  ...days,
})

/** Opens findings of the membrane on these days and returns their numbers as of a later day. */
function numbers(known: readonly EarlierFinding[], opened: readonly number[], day = 110): number[] {
  const state: HealthState = stepDay(undefined, undefined, { ...usualContext, day })
  state.open = opened.map((each, index) => ({
    number: index + 1,
    group: 'membrane' as const,
    day: each,
    before: each - 45,
    quiet: 0,
    peak: 1,
  }))
  resumeFindings(state, known)
  return state.open.map(({ number }) => number)
}

test('a finding of the same group whose days overlap goes on', () => {
  expect(numbers([earlier(-2, {})], [103])).toEqual([-2])
  expect(numbers([earlier(-2, { ended: 104 })], [103])).toEqual([-2])
  expect(numbers([earlier(-2, { ended: 102 })], [103])).toEqual([1])
  expect(numbers([earlier(-2, { began: 111 })], [103])).toEqual([1])
  expect(numbers([earlier(-2, { group: 'pressure' })], [103])).toEqual([1])
})

test('of several, the one that was found nearest in time goes on, and each only once', () => {
  const known = [
    earlier(-3, { detected: 95, ended: 105 }),
    earlier(-2, { detected: 104 }),
    earlier(-1, { detected: 120 }),
  ]
  expect(numbers(known, [103])).toEqual([-2])
  expect(numbers(known, [103, 104])).toEqual([-2, -3])
})

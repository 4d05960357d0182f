import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepsScore, scoreChange, withScore, type DayScore } from '../../../../../src/domain/health/history/scores.ts'

/** Returns what is kept if the score of each day is `scoreOf(day)`. */
function keptUntil(today: number, scoreOf: (day: number) => number): readonly DayScore[] {
  let scores: readonly DayScore[] = []
  for (let day = 0; day <= today; day++)
    if (keepsScore(scores, day, day)) scores = withScore(scores, { day, score: scoreOf(day) })
  return scores
}

test('a score is compared with one of 30 to 36 days before, whatever the day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 40, max: 200 }), today => {
      const scores = keptUntil(today, day => (day <= today - 30 ? 95 : 60))
      expect(scoreChange(scores, { day: today, score: 60 })).toBe(-35)
      const recent = keptUntil(today, day => (day <= today - 37 ? 95 : 60))
      expect(scoreChange(recent, { day: today, score: 60 })).toBeNull()
      expect(scores.length).toBeLessThanOrEqual(7)
    }),
  )
})

test('ten points count, and fewer do not', () => {
  const scores = [{ day: 0, score: 80 }]
  const changes = [70, 71, 80, 89, 90].map(score => scoreChange(scores, { day: 31, score }))
  expect(changes).toEqual([-10, null, null, null, 10])
})

test('a device that is too new, or was silent for too long, has not moved', () => {
  expect(scoreChange([{ day: 5, score: 90 }], { day: 34, score: 0 })).toBeNull()
  expect(scoreChange([{ day: 0, score: 90 }], { day: 45, score: 0 })).toBeNull()
  expect(scoreChange([], { day: 45, score: 0 })).toBeNull()
})

test('days that come late are kept where they will be compared, and in order', () => {
  expect(keepsScore([], 0, 45)).toBe(false)
  expect(keepsScore([], 1, 45)).toBe(true)
  const scores = [{ day: 20, score: 80 }]
  expect(keepsScore(scores, 14, 40)).toBe(false)
  expect(withScore(scores, { day: 13, score: 70 }).map(({ day }) => day)).toEqual([13, 20])
})

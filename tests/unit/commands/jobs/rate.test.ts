/** The rate of a job, and how often its progress is announced. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perSecond, rateAt, rateFrom } from '../../../../src/commands/jobs/rate.ts'
import { spokenAt, type Spoken } from '../../../../src/commands/jobs/spokenProgress.ts'

/** Returns the rate after `seconds`, updated every half second with the count from `endedAt`. */
const rateAfter = (endedAt: (second: number) => number, seconds: number) => {
  let rate = rateFrom(0, 0)
  for (let at = 500; at <= seconds * 1000; at += 500) rate = rateAt(rate, endedAt(at / 1000), at)
  return perSecond(rate)
}

describe('the rate', () => {
  test('law: is constant from the start for even progress', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 120 }), (each, seconds) => {
        expect(rateAfter(second => each * second, seconds)).toBeCloseTo(each, 3)
      }),
    )
  })
  test('is smoothed for chunks of 200 every four seconds', () => {
    const rate = rateAfter(second => Math.floor(second / 4) * 200, 62)
    expect(rate).toBeGreaterThan(30)
    expect(rate).toBeLessThan(70)
  })
  test('falls when progress slows down', () => {
    expect(rateAfter(second => (second < 30 ? second * 100 : 3000 + (second - 30) * 10), 60)).toBeLessThan(12)
  })
  test('is unknown until a target has ended', () => {
    expect(rateAfter(() => 0, 5)).toBeUndefined()
  })
})

describe('the announcement of progress', () => {
  test('law: changes at most once in two seconds, and announces each quarter', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60), { minLength: 1, maxLength: 80 }), steps => {
        const total = steps.reduce((sum, step) => sum + step, 1)
        let spoken: Spoken = spokenAt(undefined, 'Locking', 0, total, 0)
        let ended = 0
        for (const [second, step] of steps.entries()) {
          ended += step
          const next = spokenAt(spoken, 'Locking', ended, total, (second + 1) * 1000)
          if (next !== spoken) expect(next.at - spoken.at).toBeGreaterThanOrEqual(2000)
          else if ((second + 1) * 1000 - spoken.at >= 2000)
            expect(Math.floor((ended / total) * 4)).toBeLessThanOrEqual(spoken.quarter)
          spoken = next
        }
      }),
    )
  })
  test('has the count and the total', () => {
    const first = spokenAt(undefined, 'Locking', 0, 4000, 0)
    expect(first.text).toBe('Locking: 4,000')
    expect(spokenAt(first, 'Locking', 1000, 4000, 3000).text).toBe('Locking: 1,000 of 4,000')
    expect(spokenAt(first, 'Locking', 900, 4000, 3000)).toBe(first)
    expect(spokenAt(first, 'Locking', 900, 4000, 10_000).text).toBe('Locking: 900 of 4,000')
  })
})

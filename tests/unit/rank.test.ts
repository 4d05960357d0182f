import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestScore, matchScore, usedScore } from '../../src/commands/rank.ts'

const day = 86_400_000

test('whole before start, start before word, word before initials, initials before anywhere', () => {
  const queries = [
    ['flush', 'Flush'],
    ['flush', 'Flush mode'],
    ['flush', 'Auto-flush'],
    ['fd', 'Flush duration'],
    ['lus', 'Flush'],
    ['dur flu', 'Flush duration'],
  ] as const
  const scores = queries.map(([query, text]) => matchScore(query, text))
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(new Set(scores).size).toBe(scores.length)
  expect(scores.at(-1)).toBeGreaterThan(0)
})

test('what does not match scores nothing; no query fits all', () => {
  expect(matchScore('xyz', 'Flush')).toBe(0)
  expect(matchScore('flush reboot', 'Flush mode')).toBe(0)
  expect(matchScore('  ', 'Flush')).toBeGreaterThan(0)
})

test('case and outer spaces do not matter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.string({ unit: 'grapheme-ascii' }), (query, text) => {
      expect(matchScore(`  ${query.toUpperCase()} `, text)).toBe(matchScore(query, text.toLowerCase()))
    }),
  )
})

test('law: a text answers any part of itself', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), (text, a, b) => {
      const [from, to] = [a % text.length, b % text.length].toSorted((x, y) => x - y)
      const part = text.slice(from, to! + 1)
      // Lower case changes the length of some letters, such as İ.
      fc.pre(text.toLowerCase().includes(part.trim().toLowerCase()))
      expect(matchScore(part, text)).toBeGreaterThan(0)
    }),
  )
})

test('a keyword counts a little less than the title', () => {
  expect(bestScore('rinse', 'Flush', ['rinse'])).toBeGreaterThan(0)
  expect(bestScore('rinse', 'Flush', ['rinse'])).toBeLessThan(bestScore('rinse', 'Rinse'))
})

test('use breaks ties, fades by half each week, and never outranks a better match', () => {
  expect(usedScore(undefined, 0)).toBe(0)
  expect(usedScore({ count: 4, at: 0 }, 0)).toBe(4)
  expect(usedScore({ count: 4, at: 0 }, 7 * day)).toBe(2)
  const often = usedScore({ count: 10_000, at: 0 }, 0)
  expect(matchScore('flush', 'Auto-flush') + often).toBeLessThanOrEqual(matchScore('flush', 'Flush mode'))
})

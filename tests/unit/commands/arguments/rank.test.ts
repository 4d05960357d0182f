import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bestScore,
  highlightRanges,
  filterByName,
  matchScore,
  isTypoOf,
  maxContextBoost,
  usageScore,
} from '../../../../src/commands/arguments/rank.ts'

const day = 86_400_000

test('a full match ranks before a prefix, then a word, initials, and any other match', () => {
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

test('several words rank where they start a word as one does', () => {
  expect(matchScore('second factor', 'Set up second factor')).toBe(matchScore('second', 'Set up second factor'))
})

test('a text that does not match scores 0, and an empty query matches all', () => {
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

test('law: a text matches any part of itself', () => {
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

test('law: a word of four letters or more is found with any one of its letters mistyped', () => {
  const letter = fc.integer({ min: 97, max: 122 }).map(code => String.fromCharCode(code))
  const word = fc.array(letter, { minLength: 4, maxLength: 12 })
  fc.assert(
    fc.property(word, fc.nat(), letter, (letters, place, wrong) => {
      const typed = letters.with(place % letters.length, wrong).join('')
      expect(matchScore(typed, letters.join(''))).toBeGreaterThan(0)
    }),
  )
})

test('a keyword scores a little less than the title', () => {
  expect(bestScore('rinse', 'Flush', ['rinse'])).toBeGreaterThan(0)
  expect(bestScore('rinse', 'Flush', ['rinse'])).toBeLessThan(bestScore('rinse', 'Rinse'))
})

test('the usage score breaks ties, halves each week, and never outranks a better match', () => {
  expect(usageScore(undefined, 0)).toBe(0)
  expect(usageScore({ count: 4, at: 0 }, 0)).toBe(4)
  expect(usageScore({ count: 4, at: 0 }, 7 * day)).toBe(2)
  const often = usageScore({ count: 10_000, at: 0 }, 0) + maxContextBoost
  const kinds = [
    ['flush', 'Flush'],
    ['flush', 'Flush mode'],
    ['flush', 'Auto-flush'],
    ['fm', 'Flush mode'],
    ['flmo', 'Flush mode'],
    ['lush', 'Flush mode'],
    ['mode flush', 'Flush mode'],
    ['flsuh', 'Flush mode'],
  ] as const
  const scores = kinds.map(([query, text]) => matchScore(query, text))
  for (const [index, score] of scores.slice(1).entries()) expect(score + often).toBeLessThanOrEqual(scores[index]!)
})

test('one mistyped letter still matches, with the lowest score; two do not', () => {
  for (const typed of ['flus', 'flsuh', 'fluhs', 'fllush', 'flosh', 'lush', 'xflush'])
    expect(matchScore(typed, 'Flush duration'), typed).toBeGreaterThan(0)
  expect(matchScore('flsuh', 'Flush')).toBeLessThan(matchScore('lus', 'Flush'))
  expect(matchScore('flsuh duration', 'Flush duration')).toBe(matchScore('flsuh', 'Flush duration'))
  expect(matchScore('fxxsh', 'Flush')).toBe(0)
  expect(matchScore('flsuh duraiton', 'Flush duration')).toBe(0)
})

test('one of three letters may be mistyped if the others are distinctive enough', () => {
  // Two letters swapped, one omitted, one replaced in the middle, and one added to a word of two letters.
  for (const typed of ['olc', 'lco', 'lok', 'lck', 'lxc']) expect(matchScore(typed, 'Lock'), typed).toBeGreaterThan(0)
  for (const typed of ['uvv', 'uxv', 'vu']) expect(matchScore(typed, 'UV module') > 0, typed).toBe(typed !== 'vu')
  expect(matchScore('olc', 'Lock')).toBeLessThan(matchScore('ock', 'Lock'))
  // Two letters begin too many words, and a wrong first letter usually means another word.
  for (const typed of ['lox', 'xoc', 'lxo', 'xlo', 'xck']) expect(matchScore(typed, 'Lock'), typed).toBe(0)
  expect(matchScore('xuv', 'UV module')).toBe(0)
})

test('law: isTypoOf accepts one letter omitted, added, replaced or swapped', () => {
  const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
  const word = fc.array(letter, { minLength: 5, maxLength: 12 }).map(letters => letters.join(''))
  fc.assert(
    fc.property(word, fc.nat(), letter, (text, position, other) => {
      const at = position % (text.length - 1)
      const before = text.slice(0, at)
      expect(isTypoOf(before + text.slice(at + 1), text)).toBe(true)
      expect(isTypoOf(before + other + text.slice(at), text)).toBe(true)
      expect(isTypoOf(before + other + text.slice(at + 1), text)).toBe(true)
      expect(isTypoOf(before + text[at + 1] + text[at] + text.slice(at + 2), text)).toBe(true)
    }),
  )
})

test('beginnings of successive words match in order', () => {
  expect(matchScore('flmo', 'Flush mode')).toBeGreaterThan(0)
  expect(matchScore('flmo', 'Mode flush')).toBe(0)
  expect(highlightRanges('flmo', 'Flush mode')).toEqual([
    [0, 2],
    [6, 8],
  ])
})

test('law: highlighted ranges are within the text, in order and not empty', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (query, text) => {
      const marks = highlightRanges(query, text)
      let end = 0
      for (const [from, to] of marks) {
        expect(from).toBeGreaterThanOrEqual(end)
        expect(to).toBeGreaterThan(from)
        end = to
      }
      expect(end).toBeLessThanOrEqual(text.length)
    }),
  )
})

test('the best match is first, and typos are allowed only if nothing matches exactly', () => {
  const of = (query: string, ...names: string[]) => filterByName(query, names, name => name)
  expect(of('1000', '20', '50', '100', '200', '500', '1000')).toEqual(['1000'])
  expect(of('100', '1000', '100')).toEqual(['100', '1000'])
  expect(of('updatde', 'Created', 'Updated')).toEqual(['Updated'])
  expect(of('', 'b', 'a')).toEqual(['b', 'a'])
  expect(of('x', 'b', 'a')).toEqual([])
})

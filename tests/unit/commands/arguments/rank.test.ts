import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bestScore,
  highlightRanges,
  matches,
  matchScore,
  isTypoOf,
  maxContextBoost,
  usageScore,
} from '../../../../src/commands/arguments/rank.ts'

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

test('one letter mistyped is still found, last of all; two are not', () => {
  for (const typed of ['flus', 'flsuh', 'fluhs', 'fllush', 'flosh', 'lush', 'xflush'])
    expect(matchScore(typed, 'Flush duration'), typed).toBeGreaterThan(0)
  expect(matchScore('flsuh', 'Flush')).toBeLessThan(matchScore('lus', 'Flush'))
  expect(matchScore('flsuh duration', 'Flush duration')).toBe(matchScore('flsuh', 'Flush duration'))
  expect(matchScore('fxxsh', 'Flush')).toBe(0)
  expect(matchScore('flsuh duraiton', 'Flush duration')).toBe(0)
})

test('of three letters one may be mistyped where the others leave little doubt', () => {
  // Two swapped, one left out, another one in the middle; one too many of a word that has but two.
  for (const typed of ['olc', 'lco', 'lok', 'lck', 'lxc']) expect(matchScore(typed, 'Lock'), typed).toBeGreaterThan(0)
  for (const typed of ['uvv', 'uxv', 'vu']) expect(matchScore(typed, 'UV module') > 0, typed).toBe(typed !== 'vu')
  expect(matchScore('olc', 'Lock')).toBeLessThan(matchScore('ock', 'Lock'))
  // Two letters begin too many words, and who types the first one wrong means another word.
  for (const typed of ['lox', 'xoc', 'lxo', 'xlo', 'xck']) expect(matchScore(typed, 'Lock'), typed).toBe(0)
  expect(matchScore('xuv', 'UV module')).toBe(0)
})

test('law: a word with one letter left out, added, changed or swapped begins it but for one letter', () => {
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

test('starts of successive words', () => {
  expect(matchScore('flmo', 'Flush mode')).toBeGreaterThan(0)
  expect(matchScore('flmo', 'Mode flush')).toBe(0)
  expect(highlightRanges('flmo', 'Flush mode')).toEqual([
    [0, 2],
    [6, 8],
  ])
})

test('law: what is set off lies in the text, in order, and is there where something matches by what was typed', () => {
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

test('of choices the best comes first, and a letter is mistyped only where nothing is called what was typed', () => {
  const of = (query: string, ...names: string[]) => matches(query, names, name => name)
  expect(of('1000', '20', '50', '100', '200', '500', '1000')).toEqual(['1000'])
  expect(of('100', '1000', '100')).toEqual(['100', '1000'])
  expect(of('updatde', 'Created', 'Updated')).toEqual(['Updated'])
  expect(of('', 'b', 'a')).toEqual(['b', 'a'])
  expect(of('x', 'b', 'a')).toEqual([])
})

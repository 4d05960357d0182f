/** What the palette shows first: how well a text matches, then what is likely, and how often and recently it was run. */
import { msPerDay } from '../../domain/time.ts'

interface Word {
  readonly text: string
  /** Where it begins in the text. */
  readonly at: number
}
/** The same texts are looked at for every key; made ready once. */
const known = new Map<string, { readonly lower: string; readonly words: readonly Word[] }>()
const maxKnown = 5000

function ready(text: string) {
  const before = known.get(text)
  if (before) return before
  const lower = text.toLowerCase()
  const words = [...lower.matchAll(/[\p{L}\p{N}]+/gu)].map(found => ({ text: found[0], at: found.index }))
  const made = { lower, words }
  if (known.size >= maxKnown) known.clear()
  known.set(text, made)
  return made
}

/**
 * How well `text` answers `query`, higher is better; 0 is no match. In order: whole, start, word start, initials of
 * words, starts of successive words, anywhere, every typed word somewhere, the same with one letter mistyped.
 */
export function matchScore(query: string, text: string): number {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return 1
  const { lower, words } = ready(text)
  if (lower === wanted) return 110
  if (lower.startsWith(wanted)) return 100
  if (words.some(word => word.text.startsWith(wanted))) return forWordStart
  if (initialsOf(words).startsWith(wanted)) return 80
  if (startsFrom(wanted, words)) return 70
  if (lower.includes(wanted)) return 60
  const parts = wanted.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  if (parts.length === 0) return 0
  const wrong = parts.filter(part => !words.some(word => word.text.startsWith(part)))
  if (wrong.length === 0) return parts.length > 1 ? 50 : 0
  const [mistyped, ...more] = wrong
  return mistyped !== undefined && more.length === 0 && words.some(word => mistypes(mistyped, word.text))
    ? forMistyped
    : 0
}

const initialsOf = (words: readonly Word[]): string => words.map(word => word.text[0]).join('')

/** Kinds of matches lie ten apart: what use and likelihood give together is less. */
export const forWordStart = 90

/** What a match gives that has a letter mistyped; less of one of a title than all words of a keyword. */
export const forMistyped = 35

/** Below this a word with one letter wrong is half of any other. */
const minMistyped = 3

/**
 * Whether `typed` begins `word` but for one letter: one too many, one missing, another one, or two swapped. Where both
 * first differ is where the mistake is, or as good as. Three letters say less: there the first must be right, unless it
 * is swapped with the second, and besides swapping only a letter missing, another one in the middle, and one too many of
 * a word that has but two are forgiven. Two letters alone begin too many words.
 */
export function mistypes(typed: string, word: string): boolean {
  if (typed.length < minMistyped) return false
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at++
  if (at === typed.length) return true
  const begins = (rest: string, from: number) => word.startsWith(rest, from)
  const short = typed.length === minMistyped
  const swapped = typed[at] === word[at + 1] && typed[at + 1] === word[at] && begins(typed.slice(at + 2), at + 2)
  if (swapped || (short && at === 0)) return swapped
  const tooMany = (!short || word.length < typed.length) && begins(typed.slice(at + 1), at)
  const other = (!short || at === 1) && at < word.length && begins(typed.slice(at + 1), at + 1)
  return tooMany || other || begins(typed.slice(at), at + 1)
}

/** A part of a text: from, and to before. */
export type Range = readonly [from: number, to: number]

/** Where the starts of successive words make up `wanted`: `flmo` of `Flush mode`. One word alone is no such case. */
function startsFrom(wanted: string, words: readonly Word[]): readonly Range[] | undefined {
  if (wanted.length < 2 || wanted.length > 12 || !/^[\p{L}\p{N}]+$/u.test(wanted)) return undefined
  for (const index of words.keys()) {
    const found = startsAt(wanted, words, index)
    if (found && found.length > 1) return found
  }
  return undefined
}
function startsAt(wanted: string, words: readonly Word[], index: number): readonly Range[] | undefined {
  if (wanted === '') return []
  const word = words[index]
  if (!word) return undefined
  let common = 0
  while (common < wanted.length && wanted[common] === word.text[common]) common++
  for (let take = common; take > 0; take--) {
    const rest = startsAt(wanted.slice(take), words, index + 1)
    if (rest) return [[word.at, word.at + take], ...rest]
  }
  return undefined
}

/** The parts of a text that answer a query, from left to right: what is set off where it is shown. */
export function marksOf(query: string, text: string): readonly Range[] {
  const wanted = query.trim().toLowerCase()
  const { lower, words } = ready(text)
  // Lower case changes the length of some letters, such as İ: then nothing could be set off rightly.
  if (wanted === '' || lower.length !== text.length) return []
  const at = lower.indexOf(wanted)
  if (at >= 0) return [[at, at + wanted.length]]
  const inStarts = startsFrom(wanted, words)
  if (inStarts) return inStarts
  const parts = wanted.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return words.flatMap((word): readonly Range[] => {
    const part = parts.find(one => word.text.startsWith(one))
    if (part !== undefined) return [[word.at, word.at + part.length]]
    return parts.some(one => mistypes(one, word.text)) ? [[word.at, word.at + word.text.length]] : []
  })
}

/** The best of a title, counted in full, and keywords, counted a little less. */
export const bestScore = (query: string, title: string, keywords: readonly string[] = []): number =>
  Math.max(matchScore(query, title), ...keywords.map(keyword => matchScore(query, keyword) * 0.8))

export interface Use {
  readonly count: number
  /** Epoch milliseconds of the last time. */
  readonly at: number
}
const halfLife = 7 * msPerDay
const maxUsedScore = 6
/** Frequency that halves with every week since the last use: it breaks ties, it does not outrank a match. */
export const usedScore = (use: Use | undefined, now: number): number =>
  use ? Math.min(maxUsedScore, use.count * 0.5 ** ((now - use.at) / halfLife)) : 0
/** With what use gives, less than from one kind of match to the next. */
export const maxContextBoost = 4 - Number.EPSILON

/**
 * Those that a text answers, the best first and else in their order. A letter is mistyped only where nothing is called
 * what was typed: `1000` is not meant as `100`.
 */
export function matches<One>(query: string, all: readonly One[], nameOf: (one: One) => string): readonly One[] {
  if (query.trim() === '') return all
  const scored = all.map(one => ({ one, score: matchScore(query, nameOf(one)) })).filter(({ score }) => score > 0)
  const right = scored.filter(({ score }) => score > forMistyped)
  return (right.length > 0 ? right : scored).toSorted((a, b) => b.score - a.score).map(({ one }) => one)
}

/**
 * Ranks search results: by how well a text matches the query, then by the context and by how often and recently a
 * command was run.
 */
import { msPerDay } from '../../domain/time.ts'

interface Word {
  readonly text: string
  /** The index at which it starts. */
  readonly start: number
}
interface Text {
  readonly lower: string
  readonly words: readonly Word[]
  /** The first letters of the words. */
  readonly initials: string
  readonly letters: number
}
interface Query {
  readonly lower: string
  /** Its words, without what separates them. */
  readonly parts: readonly string[]
  readonly letters: number
}

/** Returns `make` with a cache, because the same texts are searched at every key press, and each for the same query. */
function cached<Value>(make: (text: string) => Value): (text: string) => Value {
  const maxCached = 5000
  const values = new Map<string, Value>()
  return text => {
    const known = values.get(text)
    if (known !== undefined) return known
    if (values.size >= maxCached) values.clear()
    const value = make(text)
    values.set(text, value)
    return value
  }
}

const prepare = cached((text): Text => {
  const lower = text.toLowerCase()
  const words = [...lower.matchAll(/[\p{L}\p{N}]+/gu)].map(found => ({ text: found[0], start: found.index }))
  return { lower, words, initials: words.map(word => word.text[0]).join(''), letters: lettersOf(lower) }
})
const prepareQuery = cached((query): Query => {
  const lower = query.trim().toLowerCase()
  return { lower, parts: lower.split(/[^\p{L}\p{N}]+/u).filter(Boolean), letters: lettersOf(lower) }
})

/** Returns the set of the letters from a to z in a text, a bit each. */
function lettersOf(lower: string): number {
  let letters = 0
  for (let index = 0; index < lower.length; index++) {
    const bit = lower.charCodeAt(index) - 97
    if (bit >= 0 && bit < 26) letters |= 1 << bit
  }
  return letters
}

/** Whether a text lacks two letters or more of a query. A typo is one wrong letter at most, so it cannot match. */
function cannotMatch(query: Query, text: Text): boolean {
  const missing = query.letters & ~text.letters
  return (missing & (missing - 1)) !== 0
}

/**
 * Returns how well `text` matches `query`; 0 is no match. From best to worst: the whole text, its start, the start of a
 * word, the initials of words, the starts of successive words, anywhere, every typed word at the start of a word, the
 * same with one typo.
 */
export function matchScore(query: string, text: string): number {
  const wanted = prepareQuery(query)
  if (wanted.lower === '') return 1
  const searched = prepare(text)
  if (cannotMatch(wanted, searched)) return 0
  const { lower, words, initials } = searched
  if (lower === wanted.lower) return wholeNameScore
  if (lower.startsWith(wanted.lower)) return 100
  if (words.some(word => lower.startsWith(wanted.lower, word.start))) return wordStartScore
  if (initials.startsWith(wanted.lower)) return initialsScore
  if (successiveStarts(wanted, words)) return 70
  if (lower.includes(wanted.lower)) return 60
  if (wanted.parts.length === 0) return 0
  const unmatched = wanted.parts.filter(part => !words.some(word => word.text.startsWith(part)))
  if (unmatched.length === 0) return wanted.parts.length > 1 ? 50 : 0
  const [mistyped, ...more] = unmatched
  return mistyped !== undefined && more.length === 0 && words.some(word => isTypoOf(mistyped, word.text))
    ? typoScore
    : 0
}

/** Kinds of matches are ten apart; usage and context together add less than that. */
export const wholeNameScore = 110
export const wordStartScore = 90
export const initialsScore = 80

/** The score of a match with a typo: a title with a typo scores less than a keyword that matches all words. */
export const typoScore = 35

/** The minimum length of a word with a typo; shorter ones would match too many words. */
const minTypoLength = 3

/**
 * Whether `typed` is the start of `word` with one typo: an extra letter, a missing one, a wrong one, or two swapped. The
 * typo is assumed to be at the first difference. Three letters are stricter, because they match more words: the first
 * letter must be right, unless it is swapped with the second, and only a missing letter, a wrong one in the middle, or
 * an extra one after a word of two letters is accepted. Two letters match too many words.
 */
export function isTypoOf(typed: string, word: string): boolean {
  if (typed.length < minTypoLength) return false
  let index = 0
  while (index < typed.length && typed[index] === word[index]) index++
  if (index === typed.length) return true
  const begins = (rest: string, from: number) => word.startsWith(rest, from)
  const short = typed.length === minTypoLength
  const swapped =
    typed[index] === word[index + 1] && typed[index + 1] === word[index] && begins(typed.slice(index + 2), index + 2)
  if (swapped || (short && index === 0)) return swapped
  const extra = (!short || word.length < typed.length) && begins(typed.slice(index + 1), index)
  const wrong = (!short || index === 1) && index < word.length && begins(typed.slice(index + 1), index + 1)
  return extra || wrong || begins(typed.slice(index), index + 1)
}

/** A part of a text, from an index up to and excluding another. */
export type Range = readonly [from: number, to: number]

/**
 * Returns the ranges of the starts of successive words that make up a query of one word, such as `flmo` for `Flush mode`;
 * undefined for one word alone.
 */
function successiveStarts({ lower, parts }: Query, words: readonly Word[]): readonly Range[] | undefined {
  if (lower.length < 2 || lower.length > 12 || parts[0] !== lower) return undefined
  for (const index of words.keys()) {
    const found = startsAt(lower, words, index)
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
  for (let length = common; length > 0; length--) {
    const rest = startsAt(wanted.slice(length), words, index + 1)
    if (rest) return [[word.start, word.start + length], ...rest]
  }
  return undefined
}

/** Returns the parts of a text that match a query, from left to right, for highlighting. */
export function highlightRanges(query: string, text: string): readonly Range[] {
  const wanted = prepareQuery(query)
  const { parts } = wanted
  const { lower, words } = prepare(text)
  // Lower case changes the length of some letters, such as İ, so the ranges would be wrong.
  if (wanted.lower === '' || lower.length !== text.length) return []
  const index = lower.indexOf(wanted.lower)
  if (index >= 0) return [[index, index + wanted.lower.length]]
  const starts = successiveStarts(wanted, words)
  if (starts) return starts
  return words.flatMap((word): readonly Range[] => {
    const part = parts.find(one => word.text.startsWith(one))
    if (part !== undefined) return [[word.start, word.start + part.length]]
    return parts.some(one => isTypoOf(one, word.text)) ? [[word.start, word.start + word.text.length]] : []
  })
}

/** Returns the best score of a title and its keywords; keywords count for 80 %. */
export const bestScore = (query: string, title: string, keywords: readonly string[] = []): number =>
  Math.max(matchScore(query, title), ...keywords.map(keyword => matchScore(query, keyword) * 0.8))

/** How often and when a command was run. */
export interface Usage {
  readonly count: number
  /** The time of the last run in epoch milliseconds. */
  readonly at: number
}
const halfLife = 7 * msPerDay
const maxUsageScore = 6
/**
 * Returns the score for usage: the number of runs, halved for every week since the last one. It breaks ties and never
 * outranks a better match.
 */
export const usageScore = (usage: Usage | undefined, now: number): number =>
  usage ? Math.min(maxUsageScore, usage.count * 0.5 ** ((now - usage.at) / halfLife)) : 0
/** Together with the maximum usage score, less than the ten between two kinds of matches. */
export const maxContextBoost = 4 - Number.EPSILON

/**
 * Returns the items whose name matches the query, the best first and otherwise in their order. Typos are only accepted
 * if no item matches without one: `1000` does not find `100`.
 */
export function filterByName<Item>(
  query: string,
  all: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  if (query.trim() === '') return all
  const scored = all.map(item => ({ item, score: matchScore(query, nameOf(item)) })).filter(({ score }) => score > 0)
  const withoutTypos = scored.filter(({ score }) => score > typoScore)
  return (withoutTypos.length > 0 ? withoutTypos : scored).toSorted((a, b) => b.score - a.score).map(({ item }) => item)
}

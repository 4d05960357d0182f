/** What the palette shows first: how well a text matches, then how often and how recently a command was run. */

/**
 * How well `text` answers `query`, higher is better; 0 is no match. In order: whole, start, word start, initials of
 * words, anywhere, every typed word somewhere.
 */
export function matchScore(query: string, text: string): number {
  const wanted = query.trim().toLowerCase()
  const there = text.toLowerCase()
  if (wanted === '') return 1
  if (there === wanted) return 100
  if (there.startsWith(wanted)) return 90
  const words = there.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  if (words.some(word => word.startsWith(wanted))) return 80
  if (
    words
      .map(word => word[0])
      .join('')
      .startsWith(wanted)
  )
    return 70
  if (there.includes(wanted)) return 60
  const parts = wanted.split(/\s+/)
  if (parts.length > 1 && parts.every(part => words.some(word => word.startsWith(part)))) return 50
  return 0
}

/** The best of a title, counted in full, and keywords, counted a little less. */
export const bestScore = (query: string, title: string, keywords: readonly string[] = []): number =>
  Math.max(matchScore(query, title), ...keywords.map(keyword => matchScore(query, keyword) * 0.8))

export interface Use {
  readonly count: number
  /** Epoch milliseconds of the last time. */
  readonly at: number
}
const halfLife = 7 * 86_400_000
/** Frequency that halves with every week since the last use, at most 10: it breaks ties, it does not outrank a match. */
export const usedScore = (use: Use | undefined, now: number): number =>
  use ? Math.min(10, use.count * 0.5 ** ((now - use.at) / halfLife)) : 0

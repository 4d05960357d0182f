/** The words of what is typed, and which of them may be one value. */

export interface Word {
  readonly text: string
  /** In quotes: it is meant as it stands. */
  readonly quoted: boolean
  /** Of `mode=before`, what stands before the sign. */
  readonly field: string | undefined
  /** Where it begins and ends in the text. */
  readonly start: number
  readonly end: number
}

/** The words of a text; what stands in quotes is one, and a quote that is not closed goes on to the end. */
export function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/(?:(\p{L}[\p{L}\p{N}_-]*)=)?(?:"([^"]*)(?:"|$)|([^\s"]+))/gu)].map(found => ({
    text: (found[2] ?? found[3] ?? '').trim(),
    quoted: found[2] !== undefined,
    field: found[1],
    start: found.index,
    end: found.index + found[0].length,
  }))
}

/** The word without its name, which was none. */
export const asTyped = (word: Word): Word => ({ ...word, text: `${word.field}=${word.text}`, field: undefined })

/** The most words of which one value consists, where it is not the last text. */
const maxSpanWords = 4

/** The starts of the words, the longest first, each as one text; something in quotes stands alone. */
export function spansOf(words: readonly Word[], maxWords = maxSpanWords): readonly { text: string; count: number }[] {
  const until = words.findIndex((word, index) => index > 0 && (word.quoted || word.field !== undefined))
  const end = words[0]?.quoted ? 1 : Math.min(maxWords, until < 0 ? words.length : until)
  return Array.from({ length: end }, (_, index) => end - index).map(count => ({
    text: words
      .slice(0, count)
      .map(({ text }) => text)
      .join(' '),
    count,
  }))
}

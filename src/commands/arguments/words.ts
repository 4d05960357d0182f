/** Splits typed text into words, and words into the spans that may be one value. */

export interface Word {
  readonly text: string
  /** Whether it was in quotes, so that it is one value exactly as typed. */
  readonly quoted: boolean
  /** The field name before the equals sign, such as `mode` in `mode=before`. */
  readonly field: string | undefined
  /** The range in the text, up to and excluding `end`. */
  readonly start: number
  readonly end: number
}

/** Returns the words of a text. Quoted text is one word; an unclosed quote extends to the end. */
export function splitWords(text: string): readonly Word[] {
  return [...text.matchAll(/(?:(\p{L}[\p{L}\p{N}_-]*)=)?(?:"([^"]*)(?:"|$)|([^\s"]+))/gu)].map(found => ({
    text: (found[2] ?? found[3] ?? '').trim(),
    quoted: found[2] !== undefined,
    field: found[1],
    start: found.index,
    end: found.index + found[0].length,
  }))
}

/** Returns a word whose `name=` is no field as plain text. */
export const withoutField = (word: Word): Word => ({ ...word, text: `${word.field}=${word.text}`, field: undefined })

/** The maximum number of words in one value. */
const maxSpanWords = 4

/**
 * Returns the spans at the start of the words, the longest first, each as one text. A quoted word is a span of its own.
 */
export function spansOf(
  words: readonly Word[],
  maxWords = maxSpanWords,
): readonly { text: string; wordCount: number }[] {
  const until = words.findIndex((word, index) => index > 0 && (word.quoted || word.field !== undefined))
  const end = words[0]?.quoted ? 1 : Math.min(maxWords, until < 0 ? words.length : until)
  return Array.from({ length: end }, (_, index) => end - index).map(wordCount => ({
    text: words
      .slice(0, wordCount)
      .map(({ text }) => text)
      .join(' '),
    wordCount,
  }))
}

/** Finds device ids in pasted text: a column of a sheet, a list in a mail, lines of a log. */
import { normaliseBssid } from './bssid.ts'

export interface PastedIds {
  /** Distinct ids in their stored form, in the order of the text. */
  readonly ids: readonly string[]
  /** Distinct words that are not ids. */
  readonly otherWords: readonly string[]
}

/**
 * Six pairs of hex digits, or three groups of four, with the same separator or none between all of them. A longer run of
 * such pairs does not match, because it is ambiguous which six are the id.
 */
const pair = '[0-9a-f]{2}'
const wordStart = '(?<![\\p{L}\\p{N}])'
const wordEnd = '(?![\\p{L}\\p{N}])'
const sixPairs = `${pair}([:\\-. ]?)${pair}(?:\\1${pair}){4}${wordEnd}(?!\\1${pair}${wordEnd})(?<!${wordStart}${pair}(?:\\1${pair}){6})`
const threeGroups = `(?:${pair}){2}([:\\-. ])(?:${pair}){2}\\2(?:${pair}){2}${wordEnd}`
const id = new RegExp(`${wordStart}(?:${sixPairs}|${threeGroups})`, 'giu')
const separators = /[\s,;|"'`<>()[\]{}]+/

/** Returns the ids and the other words of a text, separated by any characters. */
export function parsePastedIds(text: string): PastedIds {
  const ids = new Set<string>()
  const rest = text.replace(id, found => {
    ids.add(normaliseBssid(found))
    return '\n'
  })
  // A separator alone (`-`, `/`) is not a word.
  const words = rest.split(separators).filter(word => /[\p{L}\p{N}]/u.test(word))
  return { ids: [...ids], otherWords: [...new Set(words)] }
}

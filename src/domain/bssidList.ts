/** Device ids in a text that a person pasted: a column of a sheet, a list in a mail, lines of a log. */
import { normaliseBssid } from './bssid.ts'

export interface PastedIds {
  /** As they are stored, each once, in the order of the text. */
  readonly ids: readonly string[]
  /** Words that are no ids, each once. */
  readonly others: readonly string[]
}

/**
 * Six pairs of hex digits, or three times four, with the same sign or blank between all of them, or none, and nothing of
 * the kind beside them: of a longer row of such pairs, nobody knows which six are meant.
 */
const pair = '[0-9a-f]{2}'
const begins = '(?<![\\p{L}\\p{N}])'
const ends = '(?![\\p{L}\\p{N}])'
const six = `${pair}([:\\-. ]?)${pair}(?:\\1${pair}){4}${ends}(?!\\1${pair}${ends})(?<!${begins}${pair}(?:\\1${pair}){6})`
const inFours = `(?:${pair}){2}([:\\-. ])(?:${pair}){2}\\2(?:${pair}){2}${ends}`
const id = new RegExp(`${begins}(?:${six}|${inFours})`, 'giu')
const separators = /[\s,;|"'`<>()[\]{}]+/

/** Reads ids out of a text, whatever separates them. */
export function pastedIds(text: string): PastedIds {
  const ids = new Set<string>()
  const rest = text.replace(id, found => {
    ids.add(normaliseBssid(found))
    return '\n'
  })
  // What only separates (`-`, `/`) is no word.
  const others = rest.split(separators).filter(word => /[\p{L}\p{N}]/u.test(word))
  return { ids: [...ids], others: [...new Set(others)] }
}

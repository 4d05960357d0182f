/** Tables of text that fit the width of a terminal. */
import { printable } from './printable.ts'

const gap = 2
/** The minimum width of a column of texts. */
const minTextWidth = 10

export interface TableColumn {
  readonly label: string
  readonly alignEnd?: boolean
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Characters that take two cells of a terminal. */
const wide = /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const charactersOf = (text: string) =>
  Array.from(graphemes.segment(text), ({ segment }) => ({ text: segment, width: wide.test(segment) ? 2 : 1 }))

/** Returns the cells of a terminal that a text takes. */
export const cellsOf = (text: string): number => charactersOf(text).reduce((sum, { width }) => sum + width, 0)

const pad = (text: string, width: number, alignEnd = false) => {
  const space = ' '.repeat(Math.max(0, width - cellsOf(text)))
  return alignEnd ? space + text : text + space
}

/** Returns a text that takes at most so many cells. */
export function cut(text: string, width: number): string {
  if (cellsOf(text) <= width) return text
  let [kept, left] = ['', width - 1]
  for (const character of charactersOf(text)) {
    left -= character.width
    if (left < 0) break
    kept += character.text
  }
  return `${kept}…`
}

/** The width that a column needs for all its texts, and the one below which it is of no use. */
interface Need {
  readonly full: number
  readonly min: number
}

const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, gap * (widths.length - 1))

/**
 * Returns the width of each column: what it needs, or less where the table is wider than `available`. The widest ones shrink
 * first; columns at the end for which there is no room are left out.
 */
export function fittedWidths(needs: readonly Need[], available: number): number[] {
  const kept = [...needs]
  while (kept.length > 1 && sumOf(kept.map(({ min }) => min)) > available) kept.pop()
  const widths = kept.map(({ full }) => full)
  const canShrink = (index: number) => widths[index]! > kept[index]!.min
  for (let excess = sumOf(widths) - available; excess > 0; excess--) {
    const widest = widths.reduce(
      (found, width, index) => (canShrink(index) && (found < 0 || width > widths[found]!) ? index : found),
      -1,
    )
    if (widest < 0) break
    widths[widest] = widths[widest]! - 1
  }
  return widths
}

/**
 * Returns the lines of a table with its headings. The first column, by which a row is named, and numbers are never cut off.
 * `available`: the cells of a line; infinite if there is no limit.
 */
export function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  available: number,
): string[] {
  const [headings, cells] = [columns.map(({ label }) => printable(label)), rows.map(row => row.map(printable))]
  const needs = columns.map(({ alignEnd }, index): Need => {
    const content = Math.max(0, ...cells.map(row => cellsOf(row[index]!)))
    const full = Math.max(content, cellsOf(headings[index]!))
    const min = index === 0 ? full : alignEnd ? Math.max(content, minTextWidth) : minTextWidth
    return { full, min: Math.min(full, min) }
  })
  const widths = fittedWidths(needs, available)
  return [headings, ...cells].map(row =>
    widths
      .map((width, index) => pad(cut(row[index]!, width), width, columns[index]!.alignEnd))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

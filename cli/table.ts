/** Tables of text that fit the width of a terminal. */
import { printable } from './printable.ts'

const gap = 2
const narrowest = 6

export interface TableColumn {
  readonly label: string
  readonly alignEnd?: boolean
}

/** Characters; not exact for those of double width, after which a line is cut off early. */
const lengthOf = (text: string) => [...text].length
const pad = (text: string, width: number, alignEnd = false) => {
  const space = ' '.repeat(Math.max(0, width - lengthOf(text)))
  return alignEnd ? space + text : text + space
}
const cut = (text: string, width: number) =>
  lengthOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`

/**
 * Returns the width of each column: what its texts need, or less where the table is wider than `available`. The widest ones
 * shrink first; columns at the end for which there is no room are left out.
 */
export function fittedWidths(needed: readonly number[], available: number): number[] {
  const widths = [...needed]
  const total = () => widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1))
  while (widths.length > 1 && widths.reduce((sum, width) => sum + Math.min(width, narrowest) + gap, -gap) > available)
    widths.pop()
  while (total() > available) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest]! <= narrowest) break
    widths[widest] = widths[widest]! - 1
  }
  return widths
}

/** Returns the lines of a table with its headings. `available`: the characters of a line; infinite if there is no limit. */
export function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  available: number,
): string[] {
  const lines = [columns.map(({ label }) => label), ...rows].map(row => row.map(printable))
  const needed = columns.map((_, index) => Math.max(...lines.map(row => lengthOf(row[index]!))))
  const widths = fittedWidths(needed, available)
  return lines.map(row =>
    widths
      .map((width, index) => pad(cut(row[index]!, width), width, columns[index]!.alignEnd))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

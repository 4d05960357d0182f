/** The part of a table that is drawn before it can scroll: from its first row and column on, as far as it reaches. */
import { boxWidth, type SizedColumn } from './tracks.ts'

/** How many rows and columns are drawn beyond the edges. */
export const overscan = { rows: 6, columns: 1 } as const

/** Returns the indexes and positions of the rows that a table of this height shows, and some more. `head` in pixels. */
export const firstRows = (
  count: number,
  { height, rowHeight, head }: { readonly height: number; readonly rowHeight: number; readonly head: number },
): readonly { readonly index: number; readonly start: number }[] =>
  Array.from({ length: Math.min(count, Math.ceil((height - head) / rowHeight) + overscan.rows) }, (_, index) => ({
    index,
    start: head + index * rowHeight,
  }))

/** Returns the indexes of the columns that a table of this width shows, and some more. */
export function firstColumns(columns: readonly SizedColumn[], width: number): readonly number[] {
  let start = boxWidth
  const beyond = columns.findIndex(column => {
    if (start >= width) return true
    start += column.width
    return false
  })
  const end = beyond < 0 ? columns.length : beyond + overscan.columns
  return [...columns.keys()].slice(0, end)
}

/** The widths of a table's columns as CSS: the tracks of its rows' grids. */

/** Pixels. The first track contains the checkboxes, the last one the menus of the rows. */
export const boxWidth = 40
const actionsWidth = 40

/** The part of the table's width that pinned columns may take; more would leave too little to scroll. */
const maxPinnedShare = 2 / 3

export interface SizedColumn {
  readonly id: string
  /** Pixels. */
  readonly width: number
  /** The person set the width: as the last column it does not take the remaining space. */
  readonly fixed?: boolean
}

/** Pixels. */
export interface WidthLimits {
  readonly min: number
  readonly max: number
}

export const clampWidth = (width: number, { min, max }: WidthLimits): number =>
  Math.round(Math.max(min, Math.min(width, max)))

/** Returns the width that all columns need, in pixels. */
export const totalWidth = (columns: readonly SizedColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width, boxWidth + actionsWidth)

/** The share of its width to which a column may be narrowed; a narrower rest goes to the columns before it. */
const minFittedShare = 0.6

/**
 * Returns the columns with widths at which none is cut off at the right edge of a table of this width, before it is
 * scrolled sideways: the column at the edge gets narrower, or the columns before it get wider. Widths that the person has
 * set stay.
 */
export function fitColumns<Column extends SizedColumn>(
  columns: readonly Column[],
  tableWidth: number,
): readonly Column[] {
  let rest = tableWidth - boxWidth - actionsWidth
  const cut = columns.findIndex(({ width }) => {
    if (width > rest) return true
    rest -= width
    return false
  })
  if (cut < 1 || rest === 0) return columns
  const column = columns[cut]!
  if (!column.fixed && rest >= column.width * minFittedShare)
    return columns.with(cut, { ...column, width: Math.floor(rest) })
  const flexible = columns.slice(0, cut).filter(({ fixed }) => !fixed).length
  if (flexible === 0) return columns
  return columns.map((one, index) =>
    index < cut && !one.fixed ? { ...one, width: one.width + Math.floor(rest / flexible) } : one,
  )
}

/**
 * Returns how many of the first `pinned` columns stay in place in a table of this width. A first column that is too wide for
 * that scrolls, too, as it would cover the others.
 */
export function stickyCount(columns: readonly SizedColumn[], pinned: number, tableWidth: number): number {
  let width = boxWidth
  const tooWide = columns.slice(0, pinned).findIndex(column => (width += column.width) > tableWidth * maxPinnedShare)
  return tooWide < 0 ? Math.min(pinned, columns.length) : tooWide
}

/**
 * Returns the CSS variables of a table: `--template`, the tracks of a row; `--start`, those of its sticky start, which
 * are the checkbox and the first `sticky` columns; `--width`, the least width of a row. `measured`: a column to make as
 * wide as its content.
 */
export function trackVariables(
  columns: readonly SizedColumn[],
  sticky: number,
  measured?: string,
): Readonly<Record<'--template' | '--start' | '--width', string>> {
  const last = columns.length - 1
  const takesRest = last >= 0 && !columns[last]!.fixed
  const tracks = columns.map(({ id, width }, index) => {
    if (id === measured) return 'max-content'
    return index === last && takesRest ? `minmax(${width}px,1fr)` : `${width}px`
  })
  return {
    '--template': [`${boxWidth}px`, ...tracks, takesRest ? '0px' : 'minmax(0,1fr)', `${actionsWidth}px`].join(' '),
    '--start': [`${boxWidth}px`, ...tracks.slice(0, sticky)].join(' '),
    '--width': `${totalWidth(columns)}px`,
  }
}

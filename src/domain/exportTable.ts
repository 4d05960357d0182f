/** A table that leaves the console as a file, before it is written in any of the forms. */

export const exportTypes = ['xls', 'csv', 'json', 'txt'] as const
export type ExportType = (typeof exportTypes)[number]

/** Times are ISO 8601; null is nothing read, or nothing there. */
export type ExportCell = string | number | null

export interface ExportColumn {
  /** A heading without its unit. */
  readonly name: string
  /** The symbol of the unit that its numbers are in. */
  readonly unit?: string
}

export interface ExportHead {
  readonly title: string
  /** What a reader must know of all rows: the zone of the times, the range, what was searched for. */
  readonly notes: readonly string[]
  readonly columns: readonly ExportColumn[]
}

/** The rows come in pages, so that a fleet need not be held at once. */
export interface ExportTable extends ExportHead {
  readonly pages: AsyncIterable<readonly (readonly ExportCell[])[]>
  /** How many rows there will be, as far as that is known. */
  readonly total: number | undefined
}

import type { ReactNode } from 'react'

/** A column of a table. */
export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** A shorter header, if the title is too long for the column. */
  readonly head?: string
  /** Pixels. The last column also takes the remaining width, unless its width is fixed. */
  readonly width: number
  readonly fixed?: boolean
  readonly align?: 'end'
  /** True by default. */
  readonly sortable?: boolean
  readonly cell: (row: Row) => ReactNode
}

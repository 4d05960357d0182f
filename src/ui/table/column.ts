import type { ReactNode } from 'react'

/** A column of a table. */
export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** What stands over the column, where the title would be too long for it. */
  readonly head?: string
  /** Pixels. The last column also takes what is left. */
  readonly width: number
  readonly align?: 'end'
  /** True unless it says otherwise. */
  readonly sortable?: boolean
  readonly cell: (row: Row) => ReactNode
}

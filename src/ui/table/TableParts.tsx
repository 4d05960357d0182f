import type { Column } from './column.ts'
import { rowHeight } from './TableRow.tsx'

/** A column header; pressing it sorts. */
export function HeadCell<Row>(props: {
  column: Column<Row>
  first: boolean
  sort: 'asc' | 'desc' | undefined
  /** The id of the command that sorts. */
  command: string
  onSort: (column: string) => void
}) {
  const { column, first, sort } = props
  const ariaSort = sort === 'asc' ? 'ascending' : sort === 'desc' ? 'descending' : 'none'
  if (column.sortable === false)
    return (
      <span role="columnheader" className={`truncate px-2 ${column.align === 'end' ? 'text-right' : ''}`}>
        {column.head ?? column.title}
      </span>
    )
  return (
    <span
      role="columnheader"
      aria-sort={ariaSort}
      className={`h-full min-w-0 ${first ? 'sticky left-10 z-10 bg-bg' : ''}`}
    >
      <button
        type="button"
        data-command={props.command}
        tabIndex={-1}
        className={`flex h-full w-full min-w-0 items-center gap-1 px-2 hover:text-ink focus-visible:outline-offset-[-2px] ${column.align === 'end' ? 'justify-end' : ''} ${sort ? 'font-semibold text-accent' : ''}`}
        title={column.head && column.title}
        onClick={() => props.onSort(column.id)}
      >
        <span className="truncate">{column.head ?? column.title}</span>
        {sort && <span aria-hidden="true">{sort === 'asc' ? '↑' : '↓'}</span>}
      </button>
    </span>
  )
}

/** Placeholder rows while the first rows load. */
export function SkeletonRows({ columns }: { columns: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 12 }, (_, row) => (
        <div
          key={row}
          className="grid items-center border-b border-line"
          style={{ gridTemplateColumns: 'var(--template)', height: rowHeight }}
        >
          {Array.from({ length: columns + 1 }, (_, cell) => (
            <span key={cell} className="px-2">
              <span className="skeleton block h-3" style={{ width: `${50 + ((row * 7 + cell * 13) % 45)}%` }} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}

/** The header of a table: select the page, sort by a column, and change the columns' widths. */
import { memo } from 'react'
import type { Column } from './column.ts'
import { clampWidth, type WidthLimits } from './tracks.ts'

/** Pixels. */
export const headHeight = 32
/** Pixels by which an arrow key changes a width, without and with Shift. */
const steps = { fine: 8, coarse: 40 } as const

interface HeadProps {
  columns: readonly Column<never>[]
  /** The number of columns that do not scroll sideways. */
  sticky: number
  sort: { column: string; direction: 'asc' | 'desc' } | undefined
  /** How many rows of the page are selected. */
  selected: 'all' | 'some' | 'none'
  limits: WidthLimits
  /** The ids of the commands that do the same as its parts. */
  commands: Readonly<Record<'toggleAll' | 'sort' | 'width', string>>
  onSort: (column: string) => void
  onToggleAll: () => void
  /** Sets the width of a column, in pixels. */
  onWidth: (column: string, width: number) => void
  /** Fits the width of a column to its content. */
  onFit: (column: string) => void
}

/** Memoized, because the table renders while it scrolls. */
export const TableHead = memo(function TableHead(props: HeadProps) {
  const { columns, sticky, selected } = props
  const cell = (column: Column<never>, index: number) => (
    <HeadCell key={column.id} {...props} column={column} movable={index > 0} />
  )
  return (
    <div
      role="row"
      className="table-head sticky top-0 z-20 grid items-center border-b border-line bg-bg text-[11.5px] font-medium text-ink3"
      style={{ gridTemplateColumns: 'var(--template)', height: headHeight, minWidth: 'var(--width)' }}
    >
      <div
        role="none"
        className="table-start sticky left-0 z-10 grid h-full items-center bg-bg"
        style={{ gridColumn: `span ${sticky + 1}`, gridTemplateColumns: 'var(--start)' }}
      >
        <span role="columnheader" className="grid h-full place-items-center">
          <input
            type="checkbox"
            data-command={props.commands.toggleAll}
            aria-label="Select the page"
            className="size-[15px] accent-accent"
            checked={selected === 'all'}
            ref={box => {
              if (box) box.indeterminate = selected === 'some'
            }}
            onChange={props.onToggleAll}
          />
        </span>
        {columns.slice(0, sticky).map(cell)}
      </div>
      {columns.slice(sticky).map((column, index) => cell(column, index + sticky))}
      <span role="columnheader" className="table-edge sticky right-0 z-10 col-start-[-2] h-full bg-bg">
        <span className="sr-only">Actions</span>
      </span>
    </div>
  )
})

/** A column header; pressing it sorts. */
function HeadCell(props: HeadProps & { column: Column<never>; movable: boolean }) {
  const { column, sort } = props
  const direction = sort?.column === column.id ? sort.direction : undefined
  const title = column.head ?? column.title
  const sortable = column.sortable !== false
  const ariaSort = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none'
  return (
    <span
      role="columnheader"
      aria-label={title}
      aria-sort={sortable ? ariaSort : undefined}
      data-column={column.id}
      data-movable={props.movable ? '' : undefined}
      className="relative flex h-full min-w-0 items-center"
    >
      {sortable ? (
        <button
          type="button"
          data-command={props.commands.sort}
          tabIndex={-1}
          className={`flex h-full w-full min-w-0 items-center gap-1 px-2 hover:text-ink focus-visible:outline-offset-[-2px] ${column.align === 'end' ? 'justify-end' : ''} ${direction ? 'font-semibold text-accent' : ''}`}
          title={column.head && column.title}
          onClick={() => props.onSort(column.id)}
        >
          <span className="truncate">{title}</span>
          {direction && <span aria-hidden="true">{direction === 'asc' ? '↑' : '↓'}</span>}
        </button>
      ) : (
        <span className={`w-full truncate px-2 ${column.align === 'end' ? 'text-right' : ''}`}>{title}</span>
      )}
      <WidthHandle {...props} title={title} />
    </span>
  )
}

/**
 * The right edge of a column header. Dragging it changes the column's width (`headGestures.ts`), a double click fits the
 * column to its content. Focused by a command, it takes arrow keys, Enter to fit, and Esc to return to the rows.
 */
function WidthHandle({
  column,
  title,
  limits,
  commands,
  onWidth,
  onFit,
}: HeadProps & { column: Column<never>; title: string }) {
  const keys: Readonly<Record<string, (step: number) => void>> = {
    ArrowLeft: step => onWidth(column.id, clampWidth(column.width - step, limits)),
    ArrowRight: step => onWidth(column.id, clampWidth(column.width + step, limits)),
    Home: () => onWidth(column.id, limits.min),
    End: () => onWidth(column.id, limits.max),
    Enter: () => onFit(column.id),
    Escape: () => document.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus(),
  }
  return (
    <span
      id={`column-width-${column.id}`}
      role="separator"
      data-command={commands.width}
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuenow={column.width}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      tabIndex={-1}
      className="width-handle"
      onDoubleClick={() => onFit(column.id)}
      onKeyDown={event => {
        const press = keys[event.key]
        if (!press || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        press(event.shiftKey ? steps.coarse : steps.fine)
      }}
    />
  )
}

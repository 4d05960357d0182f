import { memo, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import type { Column } from './column.ts'
import { useRowFocus } from '../focus/rowFocus.ts'

/** A visible column, and its line in the row's grid. */
export interface PlacedColumn {
  readonly column: Column<unknown>
  readonly line: number
}

/** Which rows are selected. Each row reads it for itself, so that selecting one renders only that row. */
export interface RowSelection {
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the colour of a selected row; undefined if it is not selected. */
  readonly colourOf: (id: string) => string | undefined
}

interface RowProps {
  row: unknown
  id: string
  /** What a person calls the row. */
  name: string
  index: number
  position: number
  top: number
  /** Pixels. */
  height: number
  /** The columns that do not scroll sideways. */
  sticky: readonly Column<unknown>[]
  /** The other visible columns. */
  columns: readonly PlacedColumn[]
  selection: RowSelection
  focused: boolean
  reachable: boolean
  focusMove: number
  handledMove: { current: number }
  /** The ids of the commands that the row's parts run. */
  commands: { readonly toggle: string; readonly menu: string }
  onFocus: (index: number) => void
}

/**
 * Memoized, so that moving the focus or toggling a checkbox renders only the affected rows. Positioned by `top`, with
 * cells clipped by `overflow: clip`: a transform per row and a scroll container per cell cost a fifth of a frame when
 * scrolling. The sticky cells share one layer, and columns outside the viewport are not rendered.
 */
export const TableRow = memo(function TableRow(props: RowProps) {
  const { row, id, name, sticky, columns, selection, focused, focusMove, handledMove } = props
  const element = useRowFocus<HTMLDivElement>(focusMove, handledMove)
  const colour = useSyncExternalStore(selection.subscribe, () => selection.colourOf(id))
  const selected = colour !== undefined
  const stickyCells = useMemo(
    () =>
      sticky.map((column, index) => (
        <Cell key={column.id} column={column} columnIndex={index + 2}>
          {column.cell(row)}
        </Cell>
      )),
    [sticky, row],
  )
  const cells = useMemo(
    () =>
      columns.map(({ column, line }) => (
        <Cell key={column.id} column={column} columnIndex={line} line={line}>
          {column.cell(row)}
        </Cell>
      )),
    [columns, row],
  )
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={props.position}
      aria-selected={selected}
      data-index={props.index}
      data-id={id}
      tabIndex={props.reachable ? 0 : -1}
      onFocus={event => {
        if (!focused && event.target === event.currentTarget) props.onFocus(props.index)
      }}
      className={`absolute inset-x-0 grid items-center border-b border-line whitespace-nowrap pointer-coarse:select-none ${selected ? 'bg-accent-soft' : 'bg-panel'} ${focused ? 'row-focused' : ''}`}
      style={{ gridTemplateColumns: 'var(--template)', height: props.height, top: props.top }}
    >
      <div
        role="none"
        className="table-start sticky left-0 z-10 grid h-full items-center bg-inherit"
        style={{
          gridColumn: `span ${sticky.length + 1}`,
          gridTemplateColumns: 'var(--start)',
          boxShadow: selected ? `inset 3px 0 ${colour}` : undefined,
        }}
      >
        {/* The whole cell is the target: the checkbox alone is too small for touch. */}
        <span role="gridcell" aria-colindex={1} data-act="toggle" className="grid h-full place-items-center">
          <input
            type="checkbox"
            data-command={props.commands.toggle}
            tabIndex={-1}
            aria-label={`Select ${name}`}
            className="size-[15px] accent-accent"
            checked={selected}
            readOnly
          />
        </span>
        {stickyCells}
      </div>
      {cells}
      <span
        role="gridcell"
        className="table-edge sticky right-0 z-10 col-start-[-2] grid h-full place-items-center bg-inherit"
      >
        <button
          type="button"
          data-act="menu"
          data-command={props.commands.menu}
          tabIndex={-1}
          aria-label={`Actions for ${name}`}
          aria-haspopup="menu"
          className="row-actions icon-btn !size-6 text-ink3"
        >
          ⋯
        </button>
      </span>
    </div>
  )
})

function Cell(props: { column: Column<unknown>; columnIndex: number; line?: number; children: ReactNode }) {
  const { id, align } = props.column
  return (
    <span
      role="gridcell"
      data-column={id}
      aria-colindex={props.columnIndex}
      className={`overflow-clip px-2 text-ellipsis ${align === 'end' ? 'numeric' : ''}`}
      style={props.line === undefined ? undefined : { gridColumnStart: props.line }}
    >
      {props.children}
    </span>
  )
}

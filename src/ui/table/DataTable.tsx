/**
 * A controlled, virtualized grid with roving focus, checkboxes and sortable headers. Its parent holds the selection, focus
 * and sort order.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import type { Column } from './column.ts'
import { startRowGesture } from './startRowGesture.ts'
import type { Gestures } from './rowGestures.ts'
import { observeSize, scrollIfNeeded } from './scroller.ts'
import { HeadCell, SkeletonRows } from './TableParts.tsx'
import { rowHeight, TableRow, type PlacedColumn } from './TableRow.tsx'

/** A click on a row; positions in pixels. */
export interface RowClick {
  readonly index: number
  readonly shift: boolean
  readonly x: number
  readonly y: number
}

interface Props<Row> {
  label: string
  /** The size in pixels that the first render assumes, before the real size is measured. */
  expectedSize: { width: number; height: number }
  columns: readonly Column<Row>[]
  /** Undefined while the first rows are loading. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  /** Returns what a person calls a row, for the names of its checkbox and its menu. */
  nameOf: (row: Row) => string
  /** The number of all rows; `rows` start at `offset`. */
  count: number
  offset: number
  /** Returns the colour of a selected row; undefined if it is not selected. */
  selectedColour: (id: string) => string | undefined
  focused: string | undefined
  /** Increases when the focused row is to receive the DOM focus. */
  moves: number
  sort: { column: string; direction: 'asc' | 'desc' } | undefined
  /** Whether the rows are those of the previous query while new ones load. */
  stale: boolean
  empty: ReactNode
  /** The ids of the commands that the table's parts run. */
  commands: Readonly<Record<'open' | 'toggle' | 'toggleAll' | 'sort' | 'menu', string>>
  onSort: (column: string) => void
  onToggleAll: () => void
  onToggle: (click: RowClick) => void
  onFocus: (index: number) => void
  onOpen: (index: number) => void
  /** Called for the row's menu button, a right click, a long press, or the menu key. */
  onMenu: (click: RowClick) => void
  /** Called after dragging the mouse from one row to another. */
  onDragged: (from: number, to: number) => void
}

/** Pixels. */
const headHeight = 32
const boxWidth = 40

export function DataTable<Row>(props: Props<Row>) {
  'use no memo'
  const { columns, rows, keyOf, focused, moves, sort } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialRect: props.expectedSize,
    observeElementRect: observeSize,
    scrollToFn: scrollIfNeeded,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => columns[index]?.width ?? 0,
    paddingStart: boxWidth,
    overscan: 1,
    // The first column is sticky and rendered with the checkbox.
    rangeExtractor: range => defaultRangeExtractor(range).filter(index => index > 0),
    initialRect: props.expectedSize,
    observeElementRect: observeSize,
    scrollToFn: scrollIfNeeded,
  })
  useLayoutEffect(() => across.measure(), [across, columns])
  const visibleColumns = across
    .getVirtualItems()
    .map(({ index }) => index)
    .join()
  // Stable until other columns become visible, so that memoized rows do not render.
  const placedColumns = useMemo(
    (): readonly PlacedColumn[] =>
      visibleColumns === ''
        ? []
        : visibleColumns.split(',').flatMap(index => {
            const column = columns[Number(index)] as Column<unknown> | undefined
            return column ? [{ column, line: Number(index) + 2 }] : []
          }),
    [columns, visibleColumns],
  )
  const handledMove = useRef(moves)
  const band = useRef<HTMLDivElement>(null)
  const gestures = useRef<Gestures>(undefined)
  useLayoutEffect(() => {
    gestures.current = {
      scroller,
      band,
      rowHeight,
      headHeight,
      rows: rows?.length ?? 0,
      onDragged: props.onDragged,
      onLongPress: press => props.onMenu({ ...press, shift: false }),
    }
  })

  const focusedIndex = rows && focused !== undefined ? rows.findIndex(row => keyOf(row) === focused) : -1
  useLayoutEffect(() => {
    if (focusedIndex >= 0 && moves !== handledMove.current) virtualizer.scrollToIndex(focusedIndex, { align: 'auto' })
  }, [focusedIndex, moves, virtualizer])

  const selectedHere = rows?.filter(row => props.selectedColour(keyOf(row)) !== undefined).length ?? 0
  const template = [
    `${boxWidth}px`,
    ...columns.map(({ width }, index) => (index === columns.length - 1 ? `minmax(${width}px,1fr)` : `${width}px`)),
    '44px',
  ].join(' ')
  const width = columns.reduce((sum, column) => sum + column.width, 84)

  const clickOf = (event: MouseEvent): RowClick | undefined => {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]')
    return row
      ? { index: Number(row.dataset.index), shift: event.shiftKey, x: event.clientX, y: event.clientY }
      : undefined
  }

  return (
    <div
      ref={scroller}
      role="grid"
      data-command={props.commands.open}
      aria-label={props.label}
      aria-rowcount={props.count}
      aria-colcount={columns.length + 2}
      aria-multiselectable="true"
      aria-busy={props.stale || !rows}
      className="min-h-0 flex-1 overflow-auto bg-panel"
      style={{ '--template': template } as CSSProperties}
      onPointerDown={event => startRowGesture(event.nativeEvent, gestures)}
      onClick={event => {
        const click = clickOf(event)
        if (!click) return
        const act = (event.target as Element).closest<HTMLElement>('[data-act]')?.dataset.act
        if (act === 'toggle') props.onToggle(click)
        else if (act === 'menu') props.onMenu(click)
        else props.onFocus(click.index)
      }}
      onDoubleClick={event => {
        const click = clickOf(event)
        if (click && !(event.target as Element).closest('[data-act]')) props.onOpen(click.index)
      }}
      onContextMenu={event => {
        const click = clickOf(event)
        if (!click) return
        event.preventDefault()
        props.onMenu(click)
      }}
    >
      <div
        role="row"
        className="sticky top-0 z-20 grid items-center border-b border-line bg-bg text-[11.5px] font-medium text-ink3"
        style={{ gridTemplateColumns: 'var(--template)', height: headHeight, minWidth: width }}
      >
        <span role="columnheader" className="sticky left-0 z-10 grid h-full place-items-center bg-bg">
          <input
            type="checkbox"
            data-command={props.commands.toggleAll}
            aria-label="Select the page"
            className="size-[15px] accent-accent"
            checked={Boolean(rows?.length) && selectedHere === rows?.length}
            ref={box => {
              if (box) box.indeterminate = selectedHere > 0 && selectedHere < (rows?.length ?? 0)
            }}
            onChange={props.onToggleAll}
          />
        </span>
        {columns.map((column, index) => (
          <HeadCell
            key={column.id}
            column={column}
            first={index === 0}
            sort={sort?.column === column.id ? sort.direction : undefined}
            command={props.commands.sort}
            onSort={props.onSort}
          />
        ))}
        <span role="columnheader" className="sr-only">
          Actions
        </span>
      </div>
      {rows?.length === 0 && <div className="sticky left-0 p-10 text-center text-ink2">{props.empty}</div>}
      {!rows && <SkeletonRows columns={columns.length} />}
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize(), minWidth: width }}>
        <div
          ref={band}
          role="presentation"
          hidden
          className="pointer-events-none absolute inset-x-0 z-[12] rounded border border-accent bg-accent/10"
        />
        {rows &&
          virtualizer.getVirtualItems().map(item => {
            const row = rows[item.index]
            if (row === undefined) return null
            const id = keyOf(row)
            return (
              <TableRow
                key={id}
                row={row}
                id={id}
                name={props.nameOf(row)}
                index={item.index}
                position={props.offset + item.index + 1}
                top={item.start - headHeight}
                first={columns[0] as Column<unknown> | undefined}
                columns={placedColumns}
                colour={props.selectedColour(id)}
                focused={item.index === focusedIndex}
                reachable={item.index === (focusedIndex < 0 ? 0 : focusedIndex)}
                focusMove={item.index === focusedIndex ? moves : 0}
                handledMove={handledMove}
                commands={props.commands}
                onFocus={props.onFocus}
              />
            )
          })}
      </div>
    </div>
  )
}

/**
 * A controlled, virtualized grid with roving focus, checkboxes and sortable headers. Its parent holds the selection, focus
 * and sort order.
 */
import { useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import type { Column } from './column.ts'
import { firstColumns, firstRows, overscan } from './firstWindow.ts'
import type { HeadGestures } from './headGestures.ts'
import type { Gestures } from './rowGestures.ts'
import { observeSize, shareScrollEvents } from './scroller.ts'
import { SkeletonRows } from './SkeletonRows.tsx'
import { startGesture } from './startGesture.ts'
import { headHeight, TableHead } from './TableHead.tsx'
import { TableRow, type PlacedColumn, type RowSelection } from './TableRow.tsx'
import { boxWidth, fitColumns, stickyCount, totalWidth, trackVariables, type WidthLimits } from './tracks.ts'
import { useVirtualizer, useVirtualizerCode } from './useVirtualizer.ts'

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
  /** Resolves when the code may load that the table needs to scroll. */
  mayLoad: () => Promise<void>
  columns: readonly Column<Row>[]
  /** The first columns, as many as this, stay in place when the others scroll sideways. */
  pinned: number
  limits: WidthLimits
  /** Pixels. */
  rowHeight: number
  /** Undefined while the first rows are loading. */
  rows: readonly Row[] | undefined
  /** The ids of `rows`, in their order. */
  ids: readonly string[] | undefined
  /** Returns what a person calls a row, for the names of its checkbox and its menu. */
  nameOf: (row: Row) => string
  /** The number of all rows, if it is known exactly; `rows` start at `offset`. */
  count: number | undefined
  offset: number
  selection: RowSelection
  /** The number of `rows` that are selected. */
  selectedCount: number
  focused: string | undefined
  /** Increases when the focused row is to receive the DOM focus. */
  moves: number
  sort: { column: string; direction: 'asc' | 'desc' } | undefined
  /** Whether the rows are those of the previous query while new ones load. */
  stale: boolean
  empty: ReactNode
  /** The ids of the commands that the table's parts run. */
  commands: Readonly<Record<'open' | 'toggle' | 'toggleAll' | 'sort' | 'menu' | 'width', string>>
  onSort: (column: string) => void
  onWidth: (column: string, width: number) => void
  /** Called for a column that is to be as wide as its content. */
  onFit: (column: string) => void
  /** Called for a column that was dragged before another one, or to the end if that is undefined. */
  onMove: (column: string, before: string | undefined) => void
  onToggleAll: () => void
  onToggle: (click: RowClick) => void
  onFocus: (index: number) => void
  onOpen: (index: number) => void
  /** Called for the row's menu button, a right click, a long press, or the menu key. */
  onMenu: (click: RowClick) => void
  /** Called after dragging the mouse from one row to another. */
  onDragged: (from: number, to: number) => void
}

/** The number of rows that ARIA has for an unknown one. */
const unknownCount = -1
/** Pixels. The space below the last row fits a page of 20 rows into a window of 900 px. */
const endPadding = 6

export function DataTable<Row>(props: Props<Row>) {
  'use no memo'
  const { rows, ids, focused, moves, rowHeight, selectedCount, stale } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [tableWidth, setTableWidth] = useState(props.expectedSize.width)
  const columns = useMemo(() => fitColumns(props.columns, tableWidth), [props.columns, tableWidth])
  const [observeElementOffset] = useState(shareScrollEvents)
  const code = useVirtualizerCode(props.mayLoad)
  const virtualizer = useVirtualizer(code, {
    count: rows?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: overscan.rows,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialRect: props.expectedSize,
    // The first rows may have been scrolled before.
    initialOffset: () => scroller.current?.scrollTop ?? 0,
    observeElementRect: observeSize,
    observeElementOffset,
  })
  const across = useVirtualizer(code, {
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => columns[index]?.width ?? 0,
    paddingStart: boxWidth,
    overscan: overscan.columns,
    initialRect: props.expectedSize,
    initialOffset: () => scroller.current?.scrollLeft ?? 0,
    observeElementRect: observeSize,
    observeElementOffset,
  })
  useLayoutEffect(() => observeSize({ scrollElement: scroller.current }, ({ width }) => setTableWidth(width)), [])
  useLayoutEffect(() => virtualizer?.measure(), [virtualizer, rowHeight])
  useLayoutEffect(() => across?.measure(), [across, columns])
  const sticky = stickyCount(columns, props.pinned, tableWidth)
  const shownRows =
    virtualizer?.getVirtualItems() ??
    firstRows(rows?.length ?? 0, { height: props.expectedSize.height, rowHeight, head: headHeight })
  // The sticky columns are always rendered, with the checkbox.
  const visibleColumns = (across?.getVirtualItems().map(({ index }) => index) ?? firstColumns(columns, tableWidth))
    .filter(index => index >= sticky)
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
  const stickyColumns = useMemo(() => columns.slice(0, sticky) as readonly Column<unknown>[], [columns, sticky])
  const handledMove = useRef(moves)
  const band = useRef<HTMLDivElement>(null)
  const dropLine = useRef<HTMLDivElement>(null)
  const gestures = useRef<Gestures & HeadGestures>(undefined)
  useLayoutEffect(() => {
    gestures.current = {
      scroller,
      band,
      rowHeight,
      headHeight,
      rows: rows?.length ?? 0,
      dropLine,
      columns,
      sticky,
      limits: props.limits,
      onWidth: props.onWidth,
      onMove: props.onMove,
      onDragged: props.onDragged,
      onLongPress: press => props.onMenu({ ...press, shift: false }),
    }
  })

  const focusedIndex = useMemo(() => (focused === undefined ? -1 : (ids?.indexOf(focused) ?? -1)), [ids, focused])
  useLayoutEffect(() => {
    if (focusedIndex >= 0 && moves !== handledMove.current) virtualizer?.scrollToIndex(focusedIndex, { align: 'auto' })
  }, [focusedIndex, moves, virtualizer])

  // While a page loads no row is focused, and then the one at the same index.
  useLayoutEffect(() => {
    if (stale) return undefined
    return code?.followFocus(scroller.current, focusedIndex, () => {
      // The row has moved out of sight by itself: as after a move to it, it takes the DOM focus once it is drawn.
      handledMove.current = -1
      virtualizer?.scrollToIndex(focusedIndex, { align: 'auto' })
    })
  }, [code, focusedIndex, stale, virtualizer])

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
      aria-rowcount={props.count ?? unknownCount}
      aria-colcount={columns.length + 2}
      aria-multiselectable="true"
      aria-busy={stale || !rows}
      data-sticky={sticky}
      data-scrolls-sideways={totalWidth(columns) > tableWidth ? '' : undefined}
      className="min-h-0 flex-1 overflow-auto bg-panel"
      style={trackVariables(columns, sticky) as CSSProperties}
      onPointerDown={event => startGesture(event.nativeEvent, gestures)}
      onClick={event => {
        const click = clickOf(event)
        if (!click) return
        const act = (event.target as Element).closest<HTMLElement>('[data-act]')?.dataset.act
        if (act === 'toggle') props.onToggle(click)
        else if (act === 'menu') props.onMenu(click)
        else {
          props.onFocus(click.index)
          // The clicked row may be half below the edge.
          virtualizer?.scrollToIndex(click.index, { align: 'auto' })
        }
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
      <TableHead
        columns={columns}
        sticky={sticky}
        sort={props.sort}
        selected={selectedCount === 0 ? 'none' : selectedCount === rows?.length ? 'all' : 'some'}
        limits={props.limits}
        commands={props.commands}
        onSort={props.onSort}
        onToggleAll={props.onToggleAll}
        onWidth={props.onWidth}
        onFit={props.onFit}
      />
      <div
        ref={dropLine}
        role="presentation"
        hidden
        className="pointer-events-none fixed z-30 w-0.5 rounded bg-accent"
      />
      {rows?.length === 0 && <div className="sticky left-0 p-10 text-center text-ink2">{props.empty}</div>}
      {!rows && <SkeletonRows columns={columns.length} height={rowHeight} />}
      <div
        role="rowgroup"
        className="relative"
        style={{ height: virtualizer?.getTotalSize() ?? (rows?.length ?? 0) * rowHeight, minWidth: 'var(--width)' }}
      >
        <div
          ref={band}
          role="presentation"
          hidden
          className="pointer-events-none absolute inset-x-0 z-[12] rounded border border-accent bg-accent/10"
        />
        {rows &&
          shownRows.map(item => {
            const row = rows[item.index]
            const id = ids?.[item.index]
            if (row === undefined || id === undefined) return null
            return (
              <TableRow
                key={item.index}
                row={row}
                id={id}
                name={props.nameOf(row)}
                index={item.index}
                position={props.offset + item.index + 1}
                top={item.start - headHeight}
                height={rowHeight}
                sticky={stickyColumns}
                columns={placedColumns}
                selection={props.selection}
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
      {/* A shadow at the lower edge while there are rows below it. At the end, the padding covers it. */}
      <div role="presentation" className="rows-below" />
      <div
        role="presentation"
        className="relative z-[14] bg-panel"
        style={{ height: endPadding, marginTop: -endPadding }}
      />
    </div>
  )
}

import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { SWRResponse } from 'swr'
import { useSnapshot } from 'valtio'
import type { List } from '../../../api/contract/endpoint.ts'
import { cachedList } from '../../../api/hooks.ts'
import { columnsOf, itemOf, spokenName, type Row } from '../../../api/lists.ts'
import { columnLabel } from '../../../domain/lists/lists.ts'
import { routes } from '../../../domain/lists/routes.ts'
import { columnWidth, columnWidths, isColumnVisible, isPinned, orderedColumns } from '../../../store/columns.ts'
import { afterFirstRows } from '../../../store/firstRows.ts'
import { focus } from '../../../store/focus.ts'
import { mainSize, setPanel } from '../../../store/layout.ts'
import { lists, nextDirection, perEntity, type Entity, type ListState } from '../../../store/lists.ts'
import { preferences, type Density } from '../../../store/preferences.ts'
import { selections, subscribeSelections, useSelection } from '../../../store/selection.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable, type RowClick } from '../../../ui/table/DataTable.tsx'
import type { RowSelection } from '../../../ui/table/TableRow.tsx'
import type { CommandId } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { lazyAfterRows, lazyComponent } from '../run/lazyComponent.ts'
import { run } from '../run/run.ts'
import { openRowMenu } from '../../../store/rowMenu.ts'
import type { EmptyList } from './ListEmpty.tsx'
import { Pager } from './Pager.tsx'
import { Toolbar } from './Toolbar.tsx'

const ListEmpty = lazyComponent(
  () => import('./ListEmpty.tsx'),
  module => module.ListEmpty,
)
const SelectionBar = lazyAfterRows(
  // Loads gestures along with it, so that they are ready before the first drag.
  () =>
    Promise.all([
      import('./SelectionBar.tsx'),
      import('../../../ui/table/rowGestures.ts'),
      import('../../../ui/table/headGestures.ts'),
    ]),
  ([module]) => module.SelectionBar,
)

interface Props<E extends Entity> {
  entity: E
  columns: readonly Column<Row<E>>[]
  response: SWRResponse<List<Row<E>>>
  empty: EmptyList
}

/** A list with its toolbar, selection bar, table and pager. All interactions run commands. */
export function ListView<E extends Entity>({ entity, columns, response, empty }: Props<E>) {
  const { title } = routes[entity]
  const state = lists[entity]
  const query = useSnapshot(state) as ListState
  const rowFocus = useSnapshot(focus[entity])
  const selected = useSelection(entity)
  const [expectedSize] = useState(mainSize)
  const { data, error, isLoading } = response
  const rows = data?.data
  // SWR returns the previous page while the next one loads.
  const stale = isLoading && data !== undefined
  // After a failed request for a page that is not cached, the previous page must not stay on screen.
  const failed = error !== undefined && !isLoading && cachedList(entity, query) === undefined
  const { density } = useSnapshot(preferences)
  const visible = useMemo(() => arrange(entity, query, columns), [columns, entity, query])

  const ids = useMemo(() => rows?.map(row => itemOf(entity, row).id), [rows, entity])
  const selectedHere = ids?.filter(id => selected.colourOf(id) !== undefined).length ?? 0

  useLayoutEffect(() => {
    if (!rows || stale) return
    const rowFocus = focus[entity]
    const index = rows.findIndex(row => itemOf(entity, row).id === rowFocus.id)
    const next = rows[Math.min(rowFocus.index, rows.length - 1)]
    // A row that is gone stays the target while the panel's form has the DOM focus: what is typed is for no other row.
    const isTyping = rowFocus.id !== undefined && document.activeElement?.closest('aside form')
    if (index >= 0) rowFocus.index = index
    // After a page change by keys, or if the focused row is gone, the focus moves to the row at the same position.
    else if (!isTyping && next && rowFocus.moves > 0) {
      Object.assign(rowFocus, { id: itemOf(entity, next).id, index: Math.min(rowFocus.index, rows.length - 1) })
      // The DOM focus was lost with the row: counting a move makes the table focus the new one.
      if (document.activeElement === document.body) rowFocus.moves++
    } else if (!isTyping) rowFocus.id = undefined
    rowFocus.pageLoads++
    selections[entity].refresh(rows.map(row => itemOf(entity, row)))
  }, [rows, stale, entity])

  useEffect(() => {
    focus[entity].hasFailed = failed
    return () => void (focus[entity].hasFailed = false)
  }, [failed, entity])

  // Goes back to the last page if the current one no longer exists, for example after rows were deleted.
  const isEstimate = data?.count_is === 'estimate'
  const pages = data && Math.max(1, Math.ceil(data.count / query.limit))
  useEffect(() => {
    if (!stale && pages !== undefined && state.page > pages) state.page = pages
  }, [pages, stale, state])

  // Back from a row's screen, moves the DOM focus to the row. In an effect, because the table has to be mounted first.
  useEffect(() => {
    const rowFocus = focus[entity]
    if (!rowFocus.focusOnReturn) return
    // The row may be on another page.
    if (rowFocus.id !== undefined) rowFocus.moves++
    rowFocus.focusOnReturn = false
  }, [entity])

  const currentRows = useRef(rows)
  useLayoutEffect(() => {
    currentRows.current = rows
  }, [rows])
  // Stable across new rows, so that memoized rows do not re-render.
  const focusRow = useCallback(
    (index: number) => {
      const row = currentRows.current?.[index]
      if (row) Object.assign(focus[entity], { id: itemOf(entity, row).id, index, anchor: itemOf(entity, row).id })
    },
    [entity],
  )
  const toggleRow = ({ index, shift }: RowClick) => {
    const { anchor } = focus[entity]
    focusRow(index)
    if (shift) focus[entity].anchor = anchor
    void run(shift ? 'list.selectRange' : 'list.toggleRow')
  }
  const openRow = (index: number) => {
    focusRow(index)
    const row = currentRows.current?.[index]
    const open = openCommands[entity]
    if (!open) setPanel(true)
    else if (row) void run(open, { targets: [itemOf(entity, row)] })
  }
  const sortByColumn = useCallback(
    (column: string) => void run('list.sort', { input: { column, direction: nextDirection(state, column) } }),
    [state],
  )
  const selectDragged = (from: number, to: number) => {
    const [first, last] = [currentRows.current?.[from], currentRows.current?.[to]]
    if (!first || !last) return
    const rowFocus = focus[entity]
    Object.assign(rowFocus, { id: itemOf(entity, last).id, index: to, moves: rowFocus.moves + 1 })
    rowFocus.anchor = itemOf(entity, first).id
    void run('list.selectRange')
  }
  const showMenu = (click: RowClick) => {
    focusRow(click.index)
    const row = currentRows.current?.[click.index]
    if (row) openRowMenu(click, entity, itemOf(entity, row))
  }

  return (
    <section aria-labelledby="list-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="list-title" tabIndex={-1} className="sr-only">
        {title}
      </h1>
      <Toolbar entity={entity} columns={columns} />
      <Suspense fallback={<NoSelectionBar />}>
        <SelectionBar entity={entity} onPage={selectedHere} />
      </Suspense>
      {failed ? (
        <div role="alert" className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
          <p className="text-ink2">{error instanceof Error ? error.message : 'The list could not be loaded'}</p>
          <CommandButton command={commandOf('view.refresh')} label="Retry" primary />
        </div>
      ) : (
        <DataTable
          label={title}
          expectedSize={expectedSize}
          mayLoad={afterFirstRows}
          columns={visible}
          pinned={visible.filter(({ id }) => isPinned(entity, query, id)).length}
          limits={columnWidths}
          rowHeight={rowHeights[density]}
          rows={rows}
          ids={ids}
          nameOf={row => spokenName(entity, row)}
          count={isEstimate ? undefined : (data?.count ?? 0)}
          offset={(query.page - 1) * query.limit}
          selection={rowSelections[entity]}
          selectedCount={selectedHere}
          focused={stale ? undefined : rowFocus.id}
          moves={rowFocus.moves}
          sort={query.sort ? { column: query.sort, direction: query.direction } : undefined}
          stale={stale}
          empty={
            <Suspense fallback={null}>
              <ListEmpty
                search={query.search}
                column={columnLabel(entity, query.column ?? columnsOf(entity).search)}
                empty={empty}
              />
            </Suspense>
          }
          commands={commandsOf[entity]}
          onSort={sortByColumn}
          onWidth={setWidth}
          onFit={fitColumn}
          onMove={moveColumn}
          onToggleAll={selectPage}
          onToggle={toggleRow}
          onFocus={focusRow}
          onOpen={openRow}
          onMenu={showMenu}
          onDragged={selectDragged}
        />
      )}
      <Pager entity={entity} count={data?.count} isEstimate={isEstimate} />
    </section>
  )
}

/** Pixels. */
const rowHeights: Readonly<Record<Density, number>> = { comfortable: 33, compact: 26 }

/** Returns the visible columns in the person's order and widths. */
function arrange<E extends Entity>(
  entity: E,
  list: ListState,
  columns: readonly Column<Row<E>>[],
): readonly Column<Row<E>>[] {
  const byId = new Map(columns.map(column => [column.id, column]))
  return orderedColumns(entity, list).flatMap(id => {
    const column = byId.get(id)
    if (!column || !isColumnVisible(entity, list, id)) return []
    return { ...column, width: columnWidth(entity, list, id), fixed: id in list.widths }
  })
}

/** A placeholder with the height of the selection bar. */
const NoSelectionBar = () => (
  <div className="border-b border-line bg-panel">
    <div className="selection-line" />
  </div>
)

/** The ids of the commands that the table runs. */
const tableCommands = {
  open: 'view.panel',
  toggle: 'list.toggleRow',
  toggleAll: 'list.selectPage',
  sort: 'list.sort',
  menu: 'list.rowMenu',
  width: 'list.columnWidth',
} as const
/** The commands that open a row, in lists whose rows lead to a screen. */
const openCommands: Readonly<Partial<Record<Entity, CommandId>>> = { devices: 'device.open', findings: 'finding.open' }
const commandsOf = perEntity(entity => ({ ...tableCommands, open: openCommands[entity] ?? tableCommands.open }))
const rowSelections = perEntity((entity): RowSelection => ({
  subscribe: subscribeSelections,
  colourOf: selections[entity].colourOf,
}))
const setWidth = (column: string, width: number) => void run('list.columnWidth', { input: { column, width } })
const fitColumn = (column: string) => void run('list.fitColumn', { input: { column } })
const moveColumn = (column: string, before = 'end') => void run('list.moveColumn', { input: { column, place: before } })
const selectPage = () => void run('list.selectPage')

import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { SWRResponse } from 'swr'
import { useSnapshot } from 'valtio'
import type { List } from '../../../api/contract/endpoint.ts'
import { cachedList } from '../../../api/hooks.ts'
import { itemOf, type Row } from '../../../api/lists.ts'
import { routes } from '../../../domain/lists/routes.ts'
import { columnVisible } from '../../../store/columns.ts'
import { focus } from '../../../store/focus.ts'
import { mainSize, setPanel } from '../../../store/layout.ts'
import { lists, nextDirection, type Entity, type ListState } from '../../../store/lists.ts'
import { selections, useSelection } from '../../../store/selection.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable, type RowClick } from '../../../ui/table/DataTable.tsx'
import { commandOf } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { lazilyAfterRows } from '../run/lazily.ts'
import { run } from '../run/run.ts'
import { openRowMenu } from '../../../store/rowMenu.ts'
import { ListEmpty, type EmptyList } from './ListEmpty.tsx'
import { Pager } from './Pager.tsx'
import { Toolbar } from './Toolbar.tsx'

const SelectionBar = lazilyAfterRows(
  // What follows a press on a row is there before anybody drags.
  () => Promise.all([import('./SelectionBar.tsx'), import('../../../ui/table/rowGestures.ts')]),
  ([module]) => module.SelectionBar,
)

interface Props<E extends Entity> {
  entity: E
  columns: readonly Column<Row<E>>[]
  answer: SWRResponse<List<Row<E>>>
  empty: EmptyList
}

/** A list with its search, table and pager. What it shows is its columns; what it does are commands. */
export function ListView<E extends Entity>({ entity, columns, answer, empty }: Props<E>) {
  const { title } = routes[entity]
  const state = lists[entity]
  const query = useSnapshot(state) as ListState
  const at = useSnapshot(focus[entity])
  const selected = useSelection(entity)
  const [expected] = useState(mainSize)
  const { data, error, isLoading } = answer
  const rows = data?.data
  // While the next page is on its way SWR still shows the one before.
  const stale = isLoading && data !== undefined
  // Without an answer of its own, a question that failed must not go on showing the rows of the one before.
  const lost = error !== undefined && !isLoading && cachedList(entity, query) === undefined
  const visible = useMemo(
    () => columns.filter(column => columnVisible(entity, query, column.id)),
    [columns, entity, query],
  )

  const ids = useMemo(() => rows?.map(row => itemOf(entity, row).id), [rows, entity])

  useLayoutEffect(() => {
    if (!rows || stale) return
    const place = focus[entity]
    const here = rows.findIndex(row => itemOf(entity, row).id === place.id)
    const next = rows[Math.min(place.index, rows.length - 1)]
    if (here >= 0) place.index = here
    // The keys turned the page, or the focused row is gone: the row in its place takes over.
    else if (next && place.moves > 0) {
      Object.assign(place, { id: itemOf(entity, next).id, index: Math.min(place.index, rows.length - 1) })
      // With its row the browser's focus went away.
      if (document.activeElement === document.body) place.moves++
    } else place.id = undefined
    place.arrivals++
    selections[entity].refresh(rows.map(row => itemOf(entity, row)))
  }, [rows, stale, entity])

  // A page past the end, after a deletion say, is no page.
  const pages = data && Math.max(1, Math.ceil(data.count / query.limit))
  useEffect(() => {
    if (!stale && pages !== undefined && state.page > pages) state.page = pages
  }, [pages, stale, state])

  // Back from the screen of a row, focus goes to it; it does not yet at the first look, because the table has to be there.
  useEffect(() => {
    const place = focus[entity]
    if (place.returning) Object.assign(place, { returning: false, moves: place.moves + 1 })
  }, [entity])

  const shown = useRef(rows)
  useLayoutEffect(() => {
    shown.current = rows
  }, [rows])
  // The same function whichever rows arrive, so that memoised rows are left alone.
  const focusRow = useCallback(
    (index: number) => {
      const row = shown.current?.[index]
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
    const row = shown.current?.[index]
    if (entity !== 'devices') setPanel(true)
    else if (row) void run('device.open', { targets: [itemOf(entity, row)] })
  }
  const sortByColumn = (column: string) =>
    void run('list.sort', { input: { column, direction: nextDirection(state, column) } })
  const selectDragged = (from: number, to: number) => {
    const [first, last] = [shown.current?.[from], shown.current?.[to]]
    if (!first || !last) return
    const place = focus[entity]
    Object.assign(place, { id: itemOf(entity, last).id, index: to, moves: place.moves + 1 })
    place.anchor = itemOf(entity, first).id
    void run('list.selectRange')
  }
  const showMenu = (click: RowClick) => {
    focusRow(click.index)
    const row = shown.current?.[click.index]
    if (row) openRowMenu(click, entity, itemOf(entity, row))
  }

  return (
    <section aria-labelledby="list-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="list-title" tabIndex={-1} className="sr-only">
        {title}
      </h1>
      <Toolbar entity={entity} columns={columns} />
      <Suspense fallback={<NoSelectionBar />}>
        <SelectionBar entity={entity} ids={ids} />
      </Suspense>
      {lost ? (
        <div role="alert" className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
          <p className="text-ink2">{error instanceof Error ? error.message : 'The list could not be loaded'}</p>
          <CommandButton command={commandOf('view.refresh')} label="Retry" primary />
        </div>
      ) : (
        <DataTable
          label={title}
          expectedSize={expected}
          columns={visible}
          rows={rows}
          keyOf={row => itemOf(entity, row).id}
          count={data?.count ?? 0}
          offset={(query.page - 1) * query.limit}
          selectedColour={selected.colourOf}
          focused={stale ? undefined : at.id}
          moves={at.moves}
          sort={query.sort ? { column: query.sort, direction: query.direction } : undefined}
          stale={stale}
          empty={<ListEmpty search={query.search} empty={empty} />}
          commands={entity === 'devices' ? deviceTableCommands : tableCommands}
          onSort={sortByColumn}
          onToggleAll={selectPage}
          onToggle={toggleRow}
          onFocus={focusRow}
          onOpen={openRow}
          onMenu={showMenu}
          onDragged={selectDragged}
        />
      )}
      <Pager entity={entity} count={data?.count} />
    </section>
  )
}

/** As high as the bar that takes its place. */
const NoSelectionBar = () => (
  <div className="@container border-b border-line bg-panel">
    <div className="h-9 @max-xl:h-[58px]" />
  </div>
)

/** The ids of the commands that the table runs. */
const tableCommands = {
  open: 'view.panel',
  toggle: 'list.toggleRow',
  toggleAll: 'list.selectPage',
  sort: 'list.sort',
  menu: 'list.rowMenu',
} as const
const deviceTableCommands = { ...tableCommands, open: 'device.open' } as const
const selectPage = () => void run('list.selectPage')

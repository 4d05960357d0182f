/** A list as a table to export: all matches in the list's sort order, or only the selected rows. */
import { maxPerCall, type List, type ListQuery } from '../../api/contract/endpoint.ts'
import { operatorNames, operators } from '../../domain/lists/query.ts'
import { columnsOf, itemOf, type Row } from '../../api/lists.ts'
import type { Progress } from '../../api/readMatches.ts'
import { readByKeys } from '../../api/readByKeys.ts'
import { queryOf, readList } from '../../api/readList.ts'
import { withUnit } from '../../domain/lists/amountSearch.ts'
import { columnLabel } from '../../domain/lists/lists.ts'
import type { ExportRow, ExportTable } from '../../domain/exportTable.ts'
import { isoIn } from '../../domain/zone.ts'
import { routes } from '../../domain/lists/routes.ts'
import { isColumnVisible, orderedColumns } from '../../store/columns.ts'
import type { Entity, ListState } from '../../store/lists.ts'
import type { ListSearch } from '../../store/selection.ts'
import { countOf } from '../core/wording.ts'
import { exportColumns, type View } from './exportColumns.ts'
import { retryWithPrompt } from './retryWithPrompt.ts'
import { newReadState, readAll, readNotes, type ReadOrder, type ReadState } from '../../domain/lib/readAll.ts'
import { formatNumber } from '../../domain/format.ts'

export type ShownColumns = 'shown' | 'all'

interface ListTableOptions<E extends Entity> {
  readonly entity: E
  readonly list: Readonly<ListState>
  readonly columns: ShownColumns
  readonly view: View
  readonly progress: Progress
  /** Keys of the rows to export, for a list that can be searched by key; undefined exports all matches. */
  readonly only?: readonly string[] | undefined
}

/** Returns the table, whose rows are read while its pages are iterated; `readState` is complete after the last page. */
export function listTable<E extends Entity>(
  options: ListTableOptions<E>,
): {
  table: ExportTable
  readState: ReadState
} {
  const { entity, list, view, only } = options
  const readState = newReadState()
  const all = exportColumns(entity, view)
  const shown = orderedColumns(entity, list).filter(column => isColumnVisible(entity, list, column))
  const columns = options.columns === 'all' ? all : shown.flatMap(id => all.filter(column => column.id === id))
  const rowOf = (row: Row<E>): ExportRow => columns.map(({ value }) => value(row))
  const pages = only ? readSelected(options, only, readState) : readMatching(options, readState)
  const table: ExportTable = {
    title: routes[entity].title,
    zone: view.zone,
    columns: columns.map(({ heading }) => heading),
    pages: mapRows(pages, rowOf),
    notes: () => [
      `Exported ${isoIn(view.zone, view.now)}, times in ${view.zone}`,
      only ? 'Only selected rows' : searchNote(entity, withUnit(list, view.units)),
      ...(list.sort && !only ? [`Sorted by ${columnLabel(entity, list.sort)}, ${directions[list.direction]}`] : []),
      countOf(readState.read, entity),
      ...(only ? missingNotes(only.length - readState.read) : readNotes(readState)),
    ],
  }
  return { table, readState }
}

const missingNotes = (missing: number) =>
  missing > 0
    ? [`${formatNumber(missing)} selected ${missing === 1 ? 'row no longer exists' : 'rows no longer exist'}`]
    : []

const directions = { asc: 'ascending', desc: 'descending' } as const

function searchNote(entity: Entity, { search, column, operator }: ListSearch): string {
  if (search === '') return 'All rows'
  const knownOperator = operators.find(one => one === operator) ?? 'co'
  return `Search: ${columnLabel(entity, column ?? columnsOf(entity).search)} ${operatorNames[knownOperator]} ‘${search}’`
}

/** Rows mapped without a pause; a thousand would delay the person's input. */
const rowsPerSlice = 200

async function* mapRows<Row>(pages: AsyncIterable<readonly Row[]>, rowOf: (row: Row) => ExportRow) {
  for await (const rows of pages)
    for (let start = 0; start < rows.length; start += rowsPerSlice)
      yield rows.slice(start, start + rowsPerSlice).map(rowOf)
}

/** Returns a function that reads a page; while the server is unreachable it asks the person whether to try again. */
const pageReader =
  <E extends Entity>({ entity, progress }: ListTableOptions<E>, readState: ReadState) =>
  (query: ListQuery): Promise<List<Row<E>>> =>
    retryWithPrompt(
      () => readList(entity, query, progress.signal),
      () => countOf(readState.read, entity),
      progress.signal,
    )

/** The stable order of lists whose own order changes: open findings come first, and one may be open again meanwhile. */
const stableOrders: Partial<Record<Entity, Pick<ListQuery, 'sort' | 'direction'>>> = {
  findings: { sort: 'detected_at', direction: 'desc' },
}

async function* readMatching<E extends Entity>(
  options: ListTableOptions<E>,
  readState: ReadState,
): AsyncGenerator<readonly Row<E>[]> {
  const { entity, progress } = options
  const { limit: _limit, offset: _offset, sort, direction, ...search } = queryOf(options.list)
  const read = pageReader(options, readState)
  const orders = { requested: sort && { sort, direction }, stable: stableOrders[entity] }
  const source = {
    limit: maxPerCall,
    sorted: sort !== undefined || orders.stable !== undefined,
    keyOf: (row: Row<E>) => itemOf(entity, row).id,
    read: (offset: number, order: ReadOrder) => read({ ...search, offset, limit: maxPerCall, ...orders[order] }),
  }
  for await (const rows of readAll<Row<E>>(source, readState)) {
    progress.report(readState.read, Math.max(readState.read, readState.total ?? 0))
    yield rows
  }
}

/** Reads the rows with these keys; deleted rows are left out. */
async function* readSelected<E extends Entity>(
  options: ListTableOptions<E>,
  only: readonly string[],
  readState: ReadState,
): AsyncGenerator<readonly Row<E>[]> {
  const { entity, progress } = options
  readState.total = only.length
  for await (const { rows, at } of readByKeys(entity, only, pageReader(options, readState))) {
    readState.read += rows.length
    progress.report(at, only.length)
    yield rows
  }
}

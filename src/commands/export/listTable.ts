/** A list as a table for a file: all that match, in the order that was asked for, or only what is selected. */
import { maxPerCall, operatorNames, operators, type List, type ListQuery } from '../../api/contract/endpoint.ts'
import { columnsOf, itemOf, type Row } from '../../api/lists.ts'
import type { Progress } from '../../api/readMatches.ts'
import { readByKeys } from '../../api/readByKeys.ts'
import { queryOf, readList } from '../../api/readList.ts'
import { withUnit } from '../../domain/lists/amountSearch.ts'
import { columnName } from '../../domain/lists/lists.ts'
import type { ExportRow, ExportTable } from '../../domain/exportTable.ts'
import { isoIn } from '../../domain/zone.ts'
import { routes } from '../../domain/lists/routes.ts'
import { columnVisible } from '../../store/columns.ts'
import type { Entity, ListState } from '../../store/lists.ts'
import type { LiveQuery } from '../../store/selection.ts'
import { countOf } from '../core/wording.ts'
import { exportColumns, type View } from './exportColumns.ts'
import { retryWithPrompt } from './retryWithPrompt.ts'
import { newReading, readAll, readingNotes, type Reading } from './readAll.ts'

export type ShownColumns = 'shown' | 'all'

interface Asked<E extends Entity> {
  readonly entity: E
  readonly list: Readonly<ListState>
  readonly columns: ShownColumns
  readonly view: View
  readonly progress: Progress
  /** Keys, of a list that is searched by its key; undefined is all that match. */
  readonly only?: readonly string[] | undefined
}

/** The rows are read while the pages are asked for; how many there were is known then. */
export function listTable<E extends Entity>(asked: Asked<E>): { table: ExportTable; reading: Reading } {
  const { entity, list, view, only } = asked
  const reading = newReading()
  const columns = exportColumns(entity, view).filter(
    ({ id }) => asked.columns === 'all' || columnVisible(entity, list, id),
  )
  const rowOf = (row: Row<E>): ExportRow => columns.map(({ value }) => value(row))
  const pages = only ? selected(asked, only, reading) : matching(asked, reading)
  const table: ExportTable = {
    title: routes[entity].title,
    zone: view.zone,
    columns: columns.map(({ heading }) => heading),
    pages: mapped(pages, rowOf),
    notes: () => [
      `Exported ${isoIn(view.zone, view.now)}, times in ${view.zone}`,
      only ? 'Only what was selected' : searchNote(entity, withUnit(list, view.units)),
      ...(list.sort && !only ? [`Sorted by ${columnName(entity, list.sort)}, ${directions[list.direction]}`] : []),
      countOf(reading.read, entity),
      ...(only ? goneNotes(only.length - reading.read) : readingNotes(reading)),
    ],
  }
  return { table, reading }
}

const goneNotes = (gone: number) =>
  gone > 0 ? [`Of those selected ${gone.toLocaleString('en')} ${gone === 1 ? 'is' : 'are'} there no longer`] : []

const directions = { asc: 'ascending', desc: 'descending' } as const

function searchNote(entity: Entity, { search, column, operator }: LiveQuery): string {
  if (search === '') return 'All there are'
  const known = operators.find(one => one === operator) ?? 'co'
  return `Those whose ${columnName(entity, column ?? columnsOf(entity).search)} ${operatorNames[known]} ‘${search}’`
}

/** So many rows at a time: a thousand would hold up what a person does meanwhile. */
const slice = 200

async function* mapped<Row>(pages: AsyncIterable<readonly Row[]>, rowOf: (row: Row) => ExportRow) {
  for await (const rows of pages)
    for (let at = 0; at < rows.length; at += slice) yield rows.slice(at, at + slice).map(rowOf)
}

/** Reads a page; where the server stays away it asks whether to go on, and keeps what has been read. */
const pageReader =
  <E extends Entity>({ entity, progress }: Asked<E>, reading: Reading) =>
  (query: ListQuery): Promise<List<Row<E>>> =>
    retryWithPrompt(
      () => readList(entity, query, progress.signal),
      () => countOf(reading.read, entity),
      progress.signal,
    )

async function* matching<E extends Entity>(asked: Asked<E>, reading: Reading): AsyncGenerator<readonly Row<E>[]> {
  const { entity, progress } = asked
  const { limit: _limit, offset: _offset, sort, direction, ...search } = queryOf(asked.list)
  const read = pageReader(asked, reading)
  const source = {
    limit: maxPerCall,
    sorted: sort !== undefined,
    keyOf: (row: Row<E>) => itemOf(entity, row).id,
    read: (offset: number, order: 'asked' | 'own') =>
      read({ ...search, offset, limit: maxPerCall, ...(order === 'asked' && sort && { sort, direction }) }),
  }
  for await (const rows of readAll<Row<E>>(source, reading)) {
    progress.at(reading.read, Math.max(reading.read, reading.total ?? 0))
    yield rows
  }
}

/** Those that are there no longer are passed over. */
async function* selected<E extends Entity>(
  asked: Asked<E>,
  only: readonly string[],
  reading: Reading,
): AsyncGenerator<readonly Row<E>[]> {
  const { entity, progress } = asked
  reading.total = only.length
  for await (const { rows, at } of readByKeys(entity, only, pageReader(asked, reading))) {
    reading.read += rows.length
    progress.at(at, only.length)
    yield rows
  }
}

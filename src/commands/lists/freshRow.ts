/** Reads a selected row again, because another person may have changed it since it was selected. */
import { columnsOf, itemOf, type Row } from '../../api/lists.ts'
import { readMatches } from '../../api/readMatches.ts'
import { readList } from '../../api/readList.ts'
import type { RowEntity } from '../../store/lists.ts'
import type { RowItem } from '../../store/selection.ts'

/** Characters that a list can be searched for; the server rejects more. */
const maxSearchLength = 200

/**
 * Returns the current row, or the known one if it was deleted: the caller's request then reports that. Reads the row by
 * its name, and the whole list only if it was renamed. Rejects with ApiError.
 */
export async function freshRow<E extends RowEntity>(entity: E, { id, name, row }: RowItem<Row<E>>): Promise<Row<E>> {
  const isSame = (one: Row<E>) => itemOf(entity, one).id === id
  const column = columnsOf(entity).search
  const searchable = name !== '' && name.length <= maxSearchLength
  const named = searchable ? await readList(entity, { search: name, column, operator: 'eq', limit: 100 }) : undefined
  return named?.data.find(isSame) ?? (await readAllRows(entity)).find(isSame) ?? row
}

function readAllRows<E extends RowEntity>(entity: E): Promise<readonly Row<E>[]> {
  const noProgress = { report: () => undefined, signal: new AbortController().signal }
  return readMatches(entity, { search: '', column: undefined, operator: 'co' }, noProgress)
}

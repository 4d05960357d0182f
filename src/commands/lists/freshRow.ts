/** Rows as they are now: one that was selected a while ago may have been changed by somebody else since. */
import { columnsOf, itemOf, type Row } from '../../api/lists.ts'
import { readMatches } from '../../api/readMatches.ts'
import { readList } from '../../api/readList.ts'
import type { RowEntity } from '../../store/lists.ts'
import type { RowItem } from '../../store/selection.ts'

/** The longest text that a list can be searched for. */
const maxSearchLength = 200

/**
 * The row of one thing as it is now; as it was known where it is gone, which the call that follows will say. It is read
 * by its name; only where it was renamed the whole list.
 */
export async function freshRow<E extends RowEntity>(entity: E, { id, name, row }: RowItem<Row<E>>): Promise<Row<E>> {
  const isIt = (one: Row<E>) => itemOf(entity, one).id === id
  const column = columnsOf(entity).search
  const few = name !== '' && name.length <= maxSearchLength
  const named = few ? await readList(entity, { search: name, column, operator: 'eq', limit: 100 }) : undefined
  return named?.data.find(isIt) ?? (await everyRow(entity)).find(isIt) ?? row
}

function everyRow<E extends RowEntity>(entity: E): Promise<readonly Row<E>[]> {
  const quietly = { at: () => undefined, signal: new AbortController().signal }
  return readMatches(entity, { search: '', column: undefined, operator: 'co' }, quietly)
}

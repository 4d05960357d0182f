/** Rows as they are now: one that was selected a while ago may have been changed by somebody else since. */
import { columnsOf, itemOf, type Row } from '../api/lists.ts'
import { matching } from '../api/matching.ts'
import { readList } from '../api/readList.ts'
import type { Entity } from '../store/lists.ts'
import type { Item, RowItem } from '../store/selection.ts'

/** What is kept of everything but devices, with its whole row. */
type Kept = Exclude<Entity, 'devices'>
/** The longest text that a list can be searched for. */
const longest = 200

/**
 * Reads rows again, each by its name; only for those that were renamed the whole list, once. What is not there any more
 * is undefined.
 */
export function freshRows<E extends Kept>(entity: E): (item: Item) => Promise<Row<E> | undefined> {
  const column = columnsOf(entity).search
  const idOf = (row: Row<E>) => itemOf(entity, row).id
  let all: Promise<ReadonlyMap<string, Row<E>>> | undefined
  return async ({ id, name }) => {
    const few = name !== '' && name.length <= longest
    const named = few ? await readList(entity, { search: name, column, operator: 'eq', limit: 100 }) : undefined
    const row = named?.data.find(one => idOf(one) === id)
    if (row) return row
    all ??= everyRow(entity)
    return (await all).get(id)
  }
}

async function everyRow<E extends Kept>(entity: E): Promise<ReadonlyMap<string, Row<E>>> {
  const quietly = { at: () => undefined, signal: new AbortController().signal }
  const rows = await matching(entity, { search: '', column: undefined, operator: 'co' }, quietly)
  return new Map(rows.map(row => [itemOf(entity, row).id, row]))
}

/** The row of one thing as it is now; as it was known where it is gone, which the call that follows will say. */
export const freshRow = async <E extends Kept>(entity: E, item: RowItem<Row<E>>): Promise<Row<E>> =>
  (await freshRows(entity)(item)) ?? item.row

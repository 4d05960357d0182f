/** Reads rows by key from a list whose search column is its key. */
import type { Entity } from '../store/lists.ts'
import { maxPerCall, type List, type ListQuery } from './contract/endpoint.ts'
import { columnsOf, itemOf, type Row } from './lists.ts'

/** Up to this number of rows are read one by one, which transfers less than whole pages. */
const maxSingleReads = 50

/**
 * Yields the rows of `keys` in key order, reading from each wanted key on and skipping the rows between. Keys without a
 * row are skipped. `at`: the number of keys processed so far.
 */
export async function* readByKeys<E extends Entity>(
  entity: E,
  keys: readonly string[],
  read: (query: ListQuery) => Promise<List<Row<E>>>,
): AsyncGenerator<{ rows: readonly Row<E>[]; at: number }> {
  const key = columnsOf(entity).search
  const ids = keys.toSorted()
  const wantedIds = new Set(ids)
  for (let position = 0; position < ids.length;) {
    const limit = ids.length - position > maxSingleReads ? maxPerCall : 1
    const page = await read({ column: key, operator: 'ge', search: ids[position]!, sort: key, limit })
    const last = page.data.at(-1)
    const rows = page.data.filter(row => wantedIds.has(itemOf(entity, row).id))
    const reached = last && itemOf(entity, last).id
    const next = reached === undefined ? ids.length : ids.findIndex(id => id > reached)
    position = next < 0 ? ids.length : Math.max(next, position + 1)
    yield { rows, at: position }
  }
}

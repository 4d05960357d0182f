/** All rows that match a search, fetched page by page in the largest pages there are. */
import type { Entity, ListState } from '../store/lists.ts'
import { mostPerCall, type Operator } from './contract/endpoint.ts'
import { readList } from './readList.ts'
import { itemOf, type Row } from './lists.ts'

/** Reports how far it is, and whether to go on. */
export interface Progress {
  /** Between 0 and 1, and what to say of it. */
  at(done: number, total: number): void
  readonly signal: AbortSignal
}

export async function matching<E extends Entity>(
  entity: E,
  { search, column, operator }: Readonly<Pick<ListState, 'search' | 'column' | 'operator'>>,
  progress: Progress,
): Promise<readonly Row<E>[]> {
  // By key, whatever the list is sorted by: an order that readings change would skip rows between pages.
  const asked = search ? { search, column, operator: operator as Operator } : {}
  const found = new Map<string, Row<E>>()
  for (let offset = 0, count = 1; offset < count; offset += mostPerCall) {
    const page = await readList(entity, { offset, limit: mostPerCall, ...asked }, progress.signal)
    for (const row of page.data) found.set(itemOf(entity, row).id, row)
    count = page.count
    progress.at(Math.min(offset + mostPerCall, count), count)
  }
  return [...found.values()]
}

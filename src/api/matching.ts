/** All rows that match a search, fetched page by page in the largest pages there are. */
import type { Entity } from '../store/lists.ts'
import type { LiveQuery } from '../store/selection.ts'
import { maxPerCall } from './contract/endpoint.ts'
import { readList, searchOf } from './readList.ts'
import { itemOf, type Row } from './lists.ts'

/** Reports how far it is, and whether to go on. */
export interface Progress {
  /** Between 0 and 1, and what to say of it. */
  at(done: number, total: number): void
  readonly signal: AbortSignal
}

export async function matching<E extends Entity>(
  entity: E,
  query: LiveQuery,
  progress: Progress,
): Promise<readonly Row<E>[]> {
  // By key, whatever the list is sorted by: an order that readings change would skip rows between pages.
  const asked = searchOf(query)
  const found = new Map<string, Row<E>>()
  for (let offset = 0, count = 1; offset < count; offset += maxPerCall) {
    const page = await readList(entity, { offset, limit: maxPerCall, ...asked }, progress.signal)
    for (const row of page.data) found.set(itemOf(entity, row).id, row)
    count = page.count
    progress.at(Math.min(offset + maxPerCall, count), count)
  }
  return [...found.values()]
}

/** Reads all rows that match a search. */
import type { Entity } from '../store/lists.ts'
import type { ListSearch } from '../store/selection.ts'
import { maxPerCall } from './contract/endpoint.ts'
import { readList, searchOf } from './readList.ts'
import { itemOf, type Row } from './lists.ts'

/** Receives the progress of a long read, and can abort it. */
export interface Progress {
  /** Reports the number of rows done and in total, and what is being done if that changes during the run. */
  report(done: number, total: number, title?: string): void
  readonly signal: AbortSignal
}

/** Reads all matches in pages of the maximum size. Rejects with ApiError, or AbortError once the signal is aborted. */
export async function readMatches<E extends Entity>(
  entity: E,
  query: ListSearch,
  progress: Progress,
): Promise<readonly Row<E>[]> {
  // Without the list's sort order: one that changes with readings would skip rows between pages.
  const search = searchOf(query)
  const matches = new Map<string, Row<E>>()
  for (let offset = 0, count = 1; offset < count; offset += maxPerCall) {
    const page = await readList(entity, { offset, limit: maxPerCall, ...search }, progress.signal)
    for (const row of page.data) matches.set(itemOf(entity, row).id, row)
    count = page.count
    progress.report(Math.min(offset + maxPerCall, count), count)
  }
  return [...matches.values()]
}

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

/** A page that does not begin with a known row is read again this many rows further back, then twice and thrice as many. */
const stepBack = 100
/** The maximum number of steps back for a page. Together they are shorter than a page, so that reading always ends. */
const maxStepsBack = 3

/**
 * Reads all matches in pages of the maximum size. Each page begins with the last row of the previous one. If it does not, some
 * rows have ceased to match and later rows have moved up, so the page is read again from further back. Rejects with ApiError,
 * or AbortError once the signal is aborted.
 */
export async function readMatches<E extends Entity>(
  entity: E,
  query: ListSearch,
  progress: Progress,
): Promise<readonly Row<E>[]> {
  // Without the list's sort order: one that changes with readings would skip rows between pages.
  const search = searchOf(query)
  const matches = new Map<string, Row<E>>()
  let stepsBack = 0
  for (let offset = 0; ;) {
    const page = await readList(entity, { offset, limit: maxPerCall, ...search }, progress.signal)
    const [first] = page.data
    const isJoined = offset === 0 || (first !== undefined && matches.has(itemOf(entity, first).id))
    if (!isJoined && stepsBack < maxStepsBack) {
      offset = Math.max(0, offset - ++stepsBack * stepBack)
      continue
    }
    stepsBack = 0
    for (const row of page.data) matches.set(itemOf(entity, row).id, row)
    progress.report(Math.min(offset + maxPerCall, page.count), page.count)
    if (offset + maxPerCall >= page.count) return [...matches.values()]
    offset += maxPerCall - 1
  }
}

/** Reads all rows that match a search. */
import type { Entity } from '../store/lists.ts'
import type { ListSearch } from '../store/selection.ts'
import { newReadState, readAll, type Source } from '../domain/lib/readAll.ts'
import { maxPerCall } from './contract/endpoint.ts'
import { readList, searchOf } from './readList.ts'
import { itemOf, type Row } from './lists.ts'

/** Receives the progress of a long read, and can abort it. */
export interface Progress {
  /** Reports the number of rows done and in total, and what is being done if that changes during the run. */
  report(done: number, total: number, title?: string): void
  readonly signal: AbortSignal
}

/**
 * Reads all matches in pages of the maximum size. A row that moves to an earlier page, because rows before it no longer match, is
 * read too. Rejects with ApiError, or AbortError once the signal is aborted.
 */
export async function readMatches<E extends Entity>(
  entity: E,
  query: ListSearch,
  { report, signal }: Progress,
): Promise<readonly Row<E>[]> {
  const search = searchOf(query)
  const source: Source<Row<E>> = {
    limit: maxPerCall,
    // Without the list's sort order: one that changes with readings would skip rows between pages.
    sorted: false,
    keyOf: row => itemOf(entity, row).id,
    read: offset => readList(entity, { offset, limit: maxPerCall, ...search }, signal),
  }
  const readState = newReadState()
  const matches: Row<E>[] = []
  for await (const rows of readAll(source, readState)) {
    matches.push(...rows)
    const { read, total = read } = readState
    report(Math.min(read, total), total)
  }
  return matches
}

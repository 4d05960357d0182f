/** Searches on the server while the person types in the palette, debounced; a newer text aborts the request. */
import { useAsyncOptions, type AsyncOptions } from '../forms/useAsyncOptions.ts'

/** Milliseconds without typing before a request is sent. */
export const searchDelay = 60

export interface ServerSearch<Result> {
  readonly results: readonly Result[]
  readonly state: AsyncOptions<Result>['state']
}

/** Returns what `search` finds for a text; no results without a text, or when the search failed. */
export function useServerSearch<Result>(
  text: string | undefined,
  search: (text: string, signal: AbortSignal) => Promise<readonly Result[]>,
  searchText: (result: Result) => string,
): ServerSearch<Result> {
  const { options, state } = useAsyncOptions(text === undefined ? undefined : search, text ?? '', {
    searchText,
    delay: searchDelay,
  })
  return { results: state === 'failed' ? [] : options, state }
}

/** Searches on the server while the person types in the palette, at most one request in a while; a newer text aborts it. */
import { useAsyncOptions, type AsyncOptions } from '../forms/useAsyncOptions.ts'

/** The least milliseconds between two requests: a held key, or fast typing, does not send one for each letter. */
export const searchInterval = 60

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
    interval: searchInterval,
  })
  return { results: state === 'failed' ? [] : options, state }
}

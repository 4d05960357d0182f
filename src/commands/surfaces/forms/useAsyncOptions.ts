import { useCallback, useEffect, useRef, useState } from 'react'

export interface AsyncOptions<Option> {
  readonly options: readonly Option[]
  /** `loading` includes the wait before a search. */
  readonly state: 'settled' | 'loading' | 'failed'
}
interface SearchResponse<Option> {
  readonly search: unknown
  readonly text: string
  readonly options: readonly Option[]
  readonly failed: boolean
}
const none: readonly never[] = []

/**
 * Returns the results of `search` for a text, with at most one search in `interval` milliseconds; results of older texts are
 * dropped. While a search is loading, and when it fails, only those previous results stay whose `searchText` contains the
 * text: Enter must never choose one that does not match. Another `reloadKey` searches again.
 */
export function useAsyncOptions<Option>(
  search: ((text: string, signal: AbortSignal) => Promise<readonly Option[]>) | undefined,
  text: string,
  {
    searchText,
    interval,
    reloadKey = 0,
  }: { searchText: (option: Option) => string; interval: number; reloadKey?: number },
): AsyncOptions<Option> {
  const [response, setResponse] = useState<SearchResponse<Option>>()
  const startSearch = useCallback(
    (signal: AbortSignal) => {
      void reloadKey
      const settle = (options: readonly Option[] | undefined) => {
        if (signal.aborted) return
        const failed = options === undefined
        setResponse(previous => ({
          search,
          text,
          failed,
          options: options ?? (previous && previous.search === search ? previous.options : none),
        }))
      }
      search?.(text, signal).then(settle, () => settle(undefined))
    },
    [search, text, reloadKey],
  )
  useThrottledEffect(search && startSearch, interval)
  if (!search) return { options: none, state: 'settled' }
  const last = response?.search === search ? response : undefined
  if (last && last.text === text && !last.failed) return { options: last.options, state: 'settled' }
  const needle = text.trim().toLowerCase()
  const options = last?.options.filter(option => searchText(option).toLowerCase().includes(needle)) ?? none
  return { options, state: last?.text === text ? 'failed' : 'loading' }
}

/**
 * Runs `work` at once, or, within `interval` milliseconds of the last run, at their end: a letter after a pause does not
 * wait. The signal is aborted when the work changes or the component unmounts.
 */
export function useThrottledEffect(work: ((signal: AbortSignal) => void) | undefined, interval: number): void {
  const lastRun = useRef(-Infinity)
  useEffect(() => {
    if (!work) return undefined
    const stale = new AbortController()
    const run = () => {
      lastRun.current = performance.now()
      work(stale.signal)
    }
    const wait = lastRun.current + interval - performance.now()
    const timer = wait > 0 ? setTimeout(run, wait) : undefined
    if (timer === undefined) run()
    return () => {
      clearTimeout(timer)
      stale.abort()
    }
  }, [work, interval])
}

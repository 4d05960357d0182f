import { useCallback, useEffect, useState } from 'react'

export interface AsyncOptions<Option> {
  readonly options: readonly Option[]
  /** `loading` includes the debounce delay. */
  readonly state: 'settled' | 'loading' | 'failed'
}
interface Answer<Option> {
  readonly search: unknown
  readonly text: string
  readonly options: readonly Option[]
  readonly failed: boolean
}
const none: readonly never[] = []

/**
 * Returns the results of `search` for a text, after `delay` milliseconds without a change; results of older texts are
 * dropped. While a search is loading, and when it fails, only those previous results stay whose `searchText` contains the
 * text: Enter must never choose one that does not match. Another `reloadKey` searches again.
 */
export function useAsyncOptions<Option>(
  search: ((text: string, signal: AbortSignal) => Promise<readonly Option[]>) | undefined,
  text: string,
  { searchText, delay, reloadKey = 0 }: { searchText: (option: Option) => string; delay: number; reloadKey?: number },
): AsyncOptions<Option> {
  const [answer, setAnswer] = useState<Answer<Option>>()
  const startSearch = useCallback(
    (signal: AbortSignal) => {
      void reloadKey
      const settle = (options: readonly Option[] | undefined) => {
        if (signal.aborted) return
        const failed = options === undefined
        setAnswer(previous => ({
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
  useDebouncedEffect(search && startSearch, delay)
  if (!search) return { options: none, state: 'settled' }
  const last = answer?.search === search ? answer : undefined
  if (last && last.text === text && !last.failed) return { options: last.options, state: 'settled' }
  const needle = text.trim().toLowerCase()
  const options = last?.options.filter(option => searchText(option).toLowerCase().includes(needle)) ?? none
  return { options, state: last?.text === text ? 'failed' : 'loading' }
}

/** Runs `work` after `delay` milliseconds; its signal is aborted when the work changes or the component unmounts. */
export function useDebouncedEffect(work: ((signal: AbortSignal) => void) | undefined, delay: number): void {
  useEffect(() => {
    if (!work) return undefined
    const stale = new AbortController()
    const timer = delay > 0 ? setTimeout(() => work(stale.signal), delay) : undefined
    if (timer === undefined) work(stale.signal)
    return () => {
      clearTimeout(timer)
      stale.abort()
    }
  }, [work, delay])
}

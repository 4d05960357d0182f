import { useCallback, useEffect, useState } from 'react'

export interface AsyncOptions<Option> {
  readonly options: readonly Option[]
  /** `asking` from the first key on, also during the delay. */
  readonly state: 'settled' | 'asking' | 'failed'
}
interface Answer<Option> {
  readonly search: unknown
  readonly text: string
  readonly options: readonly Option[]
  readonly failed: boolean
}
const none: readonly never[] = []

/**
 * Returns what `search` finds for a text, as it arrives; answers to older texts are dropped. Until the answer is there,
 * and where it fails, those of the one before stay that fit: Enter must never take what does not. Another `visit`
 * searches again.
 */
export function useAsyncOptions<Option>(
  search: ((text: string, signal: AbortSignal) => Promise<readonly Option[]>) | undefined,
  text: string,
  { wordsOf, delay, visit = 0 }: { wordsOf: (option: Option) => string; delay: number; visit?: number },
): AsyncOptions<Option> {
  const [answer, setAnswer] = useState<Answer<Option>>()
  const ask = useCallback(
    (signal: AbortSignal) => {
      void visit
      const settle = (options: readonly Option[] | undefined) => {
        if (signal.aborted) return
        const failed = options === undefined
        setAnswer(last => ({
          search,
          text,
          failed,
          options: options ?? (last && last.search === search ? last.options : none),
        }))
      }
      search?.(text, signal).then(settle, () => settle(undefined))
    },
    [search, text, visit],
  )
  useAfterPause(search && ask, delay)
  if (!search) return { options: none, state: 'settled' }
  const last = answer?.search === search ? answer : undefined
  if (last && last.text === text && !last.failed) return { options: last.options, state: 'settled' }
  const wanted = text.trim().toLowerCase()
  const options = last?.options.filter(option => wordsOf(option).toLowerCase().includes(wanted)) ?? none
  return { options, state: last?.text === text ? 'failed' : 'asking' }
}

/** Does the work after so many milliseconds, aborted as soon as there is other work or none. */
export function useAfterPause(work: ((signal: AbortSignal) => void) | undefined, delay: number): void {
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

import { useEffect, useState } from 'react'
import type { AsyncOptions } from '../forms/useAsyncOptions.ts'
import { holdKeys } from '../keys/keyBuffer.ts'

/**
 * Handles Enter pressed before the results of a query have arrived: once they have, `chooseFirst` is called, unless the
 * query has changed or the search has failed by then. Keys pressed meanwhile wait until the choice is made, and Esc
 * cancels it. Returns the function to call at such an Enter.
 */
export function useEnterBeforeResults(
  { query, state }: { query: string; state: AsyncOptions<unknown>['state'] },
  chooseFirst: () => void,
): () => void {
  const [pending, setPending] = useState<{ readonly query: string; readonly release: () => void }>()
  useEffect(() => {
    if (!pending || (pending.query === query && state === 'loading')) return
    setPending(undefined)
    if (pending.query === query && state === 'settled') chooseFirst()
  }, [pending, query, state, chooseFirst])
  // Releases the keys only after the choice has been rendered, which may have opened another page.
  useEffect(() => pending?.release, [pending])
  return () => setPending({ query, release: holdKeys(() => setPending(undefined)) })
}

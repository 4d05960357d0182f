import { useEffect, useState } from 'react'
import type { Option } from '../../core/types.ts'

/**
 * Handles Enter pressed before the results of a query have arrived: the first result is chosen once they have, unless
 * the query has changed by then. Returns the function to call at such an Enter.
 */
export function useEnterBeforeResults(
  { query, options, isLoading }: { query: string; options: readonly Option[]; isLoading: boolean },
  choose: (option: Option) => void,
): () => void {
  const [pendingQuery, setPendingQuery] = useState<string>()
  useEffect(() => {
    if (pendingQuery === undefined || isLoading) return
    setPendingQuery(undefined)
    const [option] = options
    if (pendingQuery === query && option) choose(option)
  }, [pendingQuery, isLoading, query, options, choose])
  return () => setPendingQuery(query)
}

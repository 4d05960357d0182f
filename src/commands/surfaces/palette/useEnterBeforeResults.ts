import { useEffect, useState } from 'react'
import type { Option } from '../../core/types.ts'

/**
 * For an Enter that comes before what was typed for has been found: what then stands first is chosen, unless something
 * else has been typed by then. Returns what to call at such an Enter.
 */
export function useEnterBeforeResults(
  { query, options, asking }: { query: string; options: readonly Option[]; asking: boolean },
  choose: (option: Option) => void,
): () => void {
  const [hurried, setHurried] = useState<string>()
  useEffect(() => {
    if (hurried === undefined || asking) return
    setHurried(undefined)
    const [option] = options
    if (hurried === query && option) choose(option)
  }, [hurried, asking, query, options, choose])
  return () => setHurried(query)
}

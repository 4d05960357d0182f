import { useEffect, useMemo, useState } from 'react'
import type { Choices, Option } from '../command.ts'
import { currentContext } from '../context.ts'

/** What may be chosen for a query, as it arrives; answers to older queries are dropped. */
export function useChoices(choices: Choices | undefined, query: string): readonly Option[] {
  const [found, setFound] = useState<readonly Option[]>([])
  const context = useMemo(currentContext, [])
  useEffect(() => {
    if (!choices) return undefined
    const stale = new AbortController()
    Promise.resolve(choices(context, query, stale.signal)).then(
      options => !stale.signal.aborted && setFound(options),
      // Aborted, or out of reach: what is shown stays as it was, and the connection's state is shown elsewhere.
      () => undefined,
    )
    return () => stale.abort()
  }, [choices, context, query])
  return found
}

import { useEffect, useState } from 'react'
import type { Choices, Option } from '../../core/types.ts'
import { currentContext, type Context } from '../../core/context.ts'

interface Found {
  readonly choices: Choices
  readonly query: string
  readonly options: readonly Option[]
}
const none: readonly Option[] = []

/**
 * What may be chosen for a query, as it arrives; answers to older queries are dropped. Another `visit` looks again: what
 * may be chosen can depend on what is selected meanwhile. `context`: what it is chosen for, where that is fixed.
 */
export function useChoices(
  choices: Choices | undefined,
  query: string,
  { visit = 0, context }: { visit?: number; context?: Context } = {},
): { readonly options: readonly Option[]; readonly asking: boolean } {
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    if (!choices) return undefined
    const stale = new AbortController()
    Promise.resolve(choices(context ?? currentContext(), query, stale.signal)).then(
      options => !stale.signal.aborted && setFound({ choices, query, options }),
      // Aborted, or out of reach: what is shown stays as it was, and the connection's state is shown elsewhere.
      () => undefined,
    )
    return () => stale.abort()
  }, [choices, query, visit, context])
  if (!choices) return { options: none, asking: false }
  // What was found for another text is shown as far as it fits this one: Enter must never take what does not.
  if (!found || found.choices !== choices) return { options: none, asking: true }
  return found.query === query
    ? { options: found.options, asking: false }
    : { options: found.options.filter(option => fits(option, query)), asking: true }
}

const fits = ({ name, detail = '' }: Option, query: string): boolean =>
  `${name}\n${detail}`.toLowerCase().includes(query.trim().toLowerCase())

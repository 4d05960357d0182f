import { useEffect, useState } from 'react'
import type { Choices, Option } from '../command.ts'
import { currentContext } from '../context.ts'

interface Found {
  readonly choices: Choices
  readonly query: string
  readonly options: readonly Option[]
}
const none: readonly Option[] = []

/**
 * What may be chosen for a query, as it arrives; answers to older queries are dropped. Another `visit` looks again: what
 * may be chosen can depend on what is selected meanwhile.
 */
export function useChoices(choices: Choices | undefined, query: string, visit = 0): readonly Option[] {
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    if (!choices) return undefined
    const stale = new AbortController()
    Promise.resolve(choices(currentContext(), query, stale.signal)).then(
      options => !stale.signal.aborted && setFound({ choices, query, options }),
      // Aborted, or out of reach: what is shown stays as it was, and the connection's state is shown elsewhere.
      () => undefined,
    )
    return () => stale.abort()
  }, [choices, query, visit])
  // What was found for another text is shown as far as it fits this one: Enter must never take what does not.
  if (!found || found.choices !== choices) return none
  return found.query === query ? found.options : found.options.filter(option => fits(option, query))
}

const fits = ({ name, detail = '' }: Option, query: string): boolean =>
  `${name}\n${detail}`.toLowerCase().includes(query.trim().toLowerCase())

import { useMemo } from 'react'
import type { Choices, Option } from '../../core/types.ts'
import { currentContext, type Context } from '../../core/context.ts'
import { useAsyncOptions } from './useAsyncOptions.ts'

const wordsOf = ({ name, detail = '' }: Option): string => `${name}\n${detail}`

/**
 * What may be chosen for a query, as it arrives. Another `visit` looks again: what may be chosen can depend on what is
 * selected meanwhile. `context`: what it is chosen for, where that is fixed.
 */
export function useChoices(
  choices: Choices | undefined,
  query: string,
  { visit = 0, context }: { visit?: number; context?: Context } = {},
): { readonly options: readonly Option[]; readonly asking: boolean } {
  const search = useMemo(
    () => choices && (async (text: string, signal: AbortSignal) => choices(context ?? currentContext(), text, signal)),
    [choices, context],
  )
  const { options, state } = useAsyncOptions(search, query, { wordsOf, delay: 0, visit })
  // Where they cannot be had, what is shown stays: the connection's state is shown elsewhere.
  return { options, asking: state !== 'settled' }
}

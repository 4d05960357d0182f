import { useMemo } from 'react'
import type { Choices, Option } from '../../core/types.ts'
import { currentContext, type Context } from '../../core/context.ts'
import { useAsyncOptions } from './useAsyncOptions.ts'

const searchText = ({ name, detail = '' }: Option): string => `${name}\n${detail}`

/**
 * Returns the choices of an argument for a query, as they arrive. Another `reloadKey` fetches them again, because they
 * can depend on the selection. `context` is the current one unless it is given.
 */
export function useChoices(
  choices: Choices | undefined,
  query: string,
  { reloadKey = 0, context }: { reloadKey?: number; context?: Context } = {},
): { readonly options: readonly Option[]; readonly isLoading: boolean } {
  const search = useMemo(
    () => choices && (async (text: string, signal: AbortSignal) => choices(context ?? currentContext(), text, signal)),
    [choices, context],
  )
  const { options, state } = useAsyncOptions(search, query, { searchText, delay: 0, reloadKey })
  // A failed request counts as loading, and the previous options stay: the connection's state is shown elsewhere.
  return { options, isLoading: state !== 'settled' }
}

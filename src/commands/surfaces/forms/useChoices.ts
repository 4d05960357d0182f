import { useMemo } from 'react'
import type { Choices, Option } from '../../core/types.ts'
import { currentContext, type Context } from '../../core/context.ts'
import { useAsyncOptions, type AsyncOptions } from './useAsyncOptions.ts'

const searchText = ({ name, detail = '' }: Option): string => `${name}\n${detail}`

/**
 * Returns the choices of an argument for a query, as they arrive. Another `reloadKey` fetches them again, because they
 * can depend on the selection. `context` is the current one unless it is given. After a failed request the previous
 * options stay: the connection's state is shown elsewhere.
 */
export function useChoices(
  choices: Choices | undefined,
  query: string,
  { reloadKey = 0, context }: { reloadKey?: number; context?: Context } = {},
): AsyncOptions<Option> {
  const search = useMemo(
    () => choices && (async (text: string, signal: AbortSignal) => choices(context ?? currentContext(), text, signal)),
    [choices, context],
  )
  return useAsyncOptions(search, query, { searchText, interval: 0, reloadKey })
}

/** How many rows match a search: of a selection that follows one. */
import useSWR from 'swr'
import type { Entity } from '../store/lists.ts'
import type { LiveQuery } from '../store/selection.ts'
import { listKey, pollInterval, useKeptUp } from './hooks.ts'
import { readList, searchOf } from './readList.ts'

/** Looked at often; nothing is asked without a search, and another's count is never given. */
export const useCount = (entity: Entity, query: LiveQuery | undefined) => {
  const asked = query && { offset: 0, limit: 1, ...searchOf(query) }
  return useSWR(asked ? listKey(entity, asked) : null, () => readList(entity, asked ?? {}), {
    ...useKeptUp(),
    refreshInterval: pollInterval,
    keepPreviousData: false,
  })
}

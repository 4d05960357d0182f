/** Counts the rows that match a followed search. */
import useSWR from 'swr'
import type { Entity } from '../store/lists.ts'
import type { ListSearch } from '../store/selection.ts'
import { listKey, pollInterval, useRefreshOptions } from './hooks.ts'
import { readList, searchOf } from './readList.ts'

/** Polls the number of matches. Without a query it reads nothing; it never returns another query's count. */
export const useCount = (entity: Entity, query: ListSearch | undefined) => {
  const countQuery = query && { offset: 0, limit: 1, ...searchOf(query) }
  return useSWR(countQuery ? listKey(entity, countQuery) : null, () => readList(entity, countQuery ?? {}), {
    ...useRefreshOptions(),
    refreshInterval: pollInterval,
    keepPreviousData: false,
  })
}

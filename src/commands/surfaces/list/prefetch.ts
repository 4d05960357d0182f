import { useEffect } from 'react'
import { prefetchPage } from '../../../api/hooks.ts'
import { queryOf } from '../../../api/readList.ts'
import type { Entity, ListState } from '../../../store/lists.ts'

/** Larger pages are not prefetched: the time saved is not worth the load on the server. */
const maxPrefetchedRows = 200

/** Prefetches the next and the previous page once the current one has loaded. */
export function usePrefetch(entity: Entity, list: ListState, count: number | undefined): void {
  useEffect(() => {
    if (count === undefined || list.limit > maxPrefetchedRows) return undefined
    const timer = setTimeout(() => {
      if (list.page * list.limit < count) prefetchPage(entity, queryOf(list, list.page + 1))
      if (list.page > 1) prefetchPage(entity, queryOf(list, list.page - 1))
    }, 150)
    return () => clearTimeout(timer)
  }, [entity, list, count])
}

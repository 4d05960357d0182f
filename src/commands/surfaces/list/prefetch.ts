import { useEffect } from 'react'
import { prefetchPage } from '../../../api/hooks.ts'
import { queryOf } from '../../../api/readList.ts'
import type { Entity, ListState } from '../../../store/lists.ts'

/** Pages larger than this are not fetched ahead: what is saved is not worth the load. */
const largestAhead = 200

/** Fetches the pages beside this one once it has arrived, so that turning to them waits for nothing. */
export function usePrefetch(entity: Entity, list: ListState, count: number | undefined): void {
  useEffect(() => {
    if (count === undefined || list.limit > largestAhead) return undefined
    const waiting = setTimeout(() => {
      if (list.page * list.limit < count) prefetchPage(entity, queryOf(list, list.page + 1))
      if (list.page > 1) prefetchPage(entity, queryOf(list, list.page - 1))
    }, 150)
    return () => clearTimeout(waiting)
  }, [entity, list, count])
}

import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { useList } from '../../../api/hooks.ts'
import { queryOf } from '../../../api/readList.ts'
import type { Row } from '../../../api/lists.ts'
import { lists, type Entity, type ListState } from '../../../store/lists.ts'
import type { Column } from '../../../ui/table/column.ts'
import { ListView } from './ListView.tsx'
import { usePrefetch } from './prefetch.ts'

/** The screen of a list: its columns are all that it has of its own. */
export function ListScreen<E extends Entity>(props: {
  entity: E
  title: string
  columns: readonly Column<Row<E>>[]
  /** What there is to do where there is nothing at all yet. */
  whenNone: ReactNode
}) {
  const { entity, ...rest } = props
  const query = useSnapshot(lists[entity]) as ListState
  const answer = useList(entity, queryOf(query))
  usePrefetch(entity, query, answer.data?.count)
  return <ListView entity={entity} answer={answer} {...rest} />
}

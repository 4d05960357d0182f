import { useSnapshot } from 'valtio'
import { useList } from '../../../api/hooks.ts'
import { queryOf } from '../../../api/readList.ts'
import { lists, type Entity, type ListState } from '../../../store/lists.ts'
import { useColumns, type Cells } from './columns.tsx'
import type { EmptyList } from './ListEmpty.tsx'
import { ListView } from './ListView.tsx'
import { usePrefetch } from './prefetch.ts'

/** The screen of a list: all that it has of its own are cells that are more than text, and what it shows when empty. */
export function ListScreen<E extends Entity>({
  entity,
  cells,
  empty,
}: {
  entity: E
  cells: Cells<E> | undefined
  empty: EmptyList
}) {
  const columns = useColumns(entity, cells)
  const query = useSnapshot(lists[entity]) as ListState
  const answer = useList(entity, queryOf(query))
  usePrefetch(entity, query, answer.data?.count)
  return <ListView entity={entity} columns={columns} answer={answer} empty={empty} />
}

import { useSnapshot } from 'valtio'
import { useList } from '../../../api/hooks.ts'
import { queryOf } from '../../../api/readList.ts'
import { lists, type Entity, type ListState } from '../../../store/lists.ts'
import { useColumns, type Cells } from './columns.tsx'
import type { EmptyList } from './ListEmpty.tsx'
import { ListView } from './ListView.tsx'
import { usePrefetch } from './prefetch.ts'

/** The screen of a list. `cells` are the cells that are more than text, `empty` is the empty state. */
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
  const response = useList(entity, queryOf(query))
  usePrefetch(entity, query, response.data?.count)
  return <ListView entity={entity} columns={columns} response={response} empty={empty} />
}

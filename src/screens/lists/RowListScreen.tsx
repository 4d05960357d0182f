import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import type { RowEntity } from '../../store/lists.ts'
import { listLook } from './lists.tsx'

/** The screen of any list but that of the devices. */
export function RowListScreen<E extends RowEntity>({ entity }: { entity: E }) {
  const { empty, cells } = listLook(entity)
  return <ListScreen entity={entity} cells={cells} empty={empty} />
}

import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import type { RowEntity } from '../../store/lists.ts'
import { listConfig } from './lists.tsx'

/** The screen of every list except the devices. */
export function RowListScreen<E extends RowEntity>({ entity }: { entity: E }) {
  const { empty, cells } = listConfig(entity)
  return <ListScreen entity={entity} cells={cells} empty={empty} />
}

import { useSnapshot } from 'valtio'
import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import type { RowEntity } from '../../store/lists.ts'
import { session } from '../../store/session.ts'
import { listLook } from './lists.tsx'

/** The side panel of any list but that of the devices. */
export function RowListPanel<E extends RowEntity>(props: { entity: E; width: number; onClose: () => void }) {
  const { cells, values, initial } = listLook(props.entity)
  const account = useSnapshot(session)
  return <RowPanel cells={cells} values={values} initial={initial?.(account)} {...props} />
}

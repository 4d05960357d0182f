import { useSnapshot } from 'valtio'
import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import type { RowEntity } from '../../store/lists.ts'
import { session } from '../../store/session.ts'
import { listConfig } from './lists.tsx'

/** The side panel of every list except the devices. */
export function RowListPanel<E extends RowEntity>(props: { entity: E; width: number; onClose: () => void }) {
  const { cells, details, values, initial } = listConfig(props.entity)
  const account = useSnapshot(session)
  return <RowPanel cells={cells} details={details} values={values} initial={initial?.(account)} {...props} />
}

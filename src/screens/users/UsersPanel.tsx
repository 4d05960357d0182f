import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { columns } from './columns.tsx'

export function UsersPanel(props: { width: number; onClose: () => void }) {
  return <RowPanel entity="users" columns={columns} {...props} />
}

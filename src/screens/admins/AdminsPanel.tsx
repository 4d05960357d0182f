import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { columns } from './columns.tsx'

export function AdminsPanel(props: { width: number; onClose: () => void }) {
  return <RowPanel entity="admins" columns={columns} {...props} />
}

import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { columns } from './columns.tsx'

export function GroupsPanel(props: { width: number; onClose: () => void }) {
  return <RowPanel entity="groups" columns={columns} values={row => ({ 'groups.edit': row })} {...props} />
}

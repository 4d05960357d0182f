import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { columns } from './columns.tsx'

export function VendorsPanel(props: { width: number; onClose: () => void }) {
  return <RowPanel entity="vendors" columns={columns} values={row => ({ 'vendors.edit': row })} {...props} />
}

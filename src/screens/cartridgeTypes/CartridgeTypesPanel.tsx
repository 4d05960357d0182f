import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { useCartridgeTypesColumns } from './columns.tsx'

export function CartridgeTypesPanel(props: { width: number; onClose: () => void }) {
  const columns = useCartridgeTypesColumns()
  return (
    <RowPanel entity="cartridgeTypes" columns={columns} values={row => ({ 'cartridgeTypes.edit': row })} {...props} />
  )
}

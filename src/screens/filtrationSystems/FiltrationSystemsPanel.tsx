import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { useFiltrationSystemsColumns } from './columns.tsx'

export function FiltrationSystemsPanel(props: { width: number; onClose: () => void }) {
  const columns = useFiltrationSystemsColumns()
  return (
    <RowPanel
      entity="filtrationSystems"
      columns={columns}
      values={row => ({
        'filtrationSystems.edit': {
          ...row.flush,
          model: row.model,
          flushing: row.flushing,
          group: row.group ? { value: row.group._id, name: row.group.name } : undefined,
          cartridges: row.cartridges.map(cartridge => ({ value: cartridge._id, name: cartridge.model })),
        },
      })}
      {...props}
    />
  )
}

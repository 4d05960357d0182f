import { session } from '../../store/session.ts'
import { useSnapshot } from 'valtio'
import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { useModelsColumns } from './columns.tsx'

export function ModelsPanel(props: { width: number; onClose: () => void }) {
  const columns = useModelsColumns()
  const { userId, userRole, login } = useSnapshot(session)
  // A vendor makes models for itself.
  const own = userRole === 'vendor' ? { vendors: [{ value: userId, name: login }] } : {}
  return (
    <RowPanel
      entity="models"
      columns={columns}
      initial={{ 'models.create': own }}
      values={row => ({
        'models.edit': {
          ...row,
          vendors: row.vendors.map(vendor => ({ value: vendor._id, name: vendor.company_name })),
        },
      })}
      {...props}
    />
  )
}

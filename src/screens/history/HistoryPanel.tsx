import { RowPanel } from '../../commands/surfaces/list/RowPanel.tsx'
import { columns } from './columns.tsx'

export function HistoryPanel(props: { width: number; onClose: () => void }) {
  return <RowPanel entity="audit" columns={columns} {...props} />
}

import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { columns } from './columns.tsx'

/** Who changed what, when, from where, and what came of it. */
export function HistoryScreen() {
  return <ListScreen entity="audit" title="History" columns={columns} whenNone={<p>Nothing has been changed yet.</p>} />
}

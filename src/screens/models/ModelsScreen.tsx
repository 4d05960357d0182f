import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { useModelsColumns } from './columns.tsx'

export function ModelsScreen() {
  const columns = useModelsColumns()
  return (
    <ListScreen
      entity="models"
      title="Device models"
      columns={columns}
      whenNone={
        <div className="grid justify-items-center gap-3">
          <p>There are no device models yet.</p>
          <CommandButton command={commandOf('models.create')} primary />
        </div>
      }
    />
  )
}

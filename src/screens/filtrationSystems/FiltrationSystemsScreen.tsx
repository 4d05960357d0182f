import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { useFiltrationSystemsColumns } from './columns.tsx'

export function FiltrationSystemsScreen() {
  const columns = useFiltrationSystemsColumns()
  return (
    <ListScreen
      entity="filtrationSystems"
      title="Filtration Systems"
      columns={columns}
      whenNone={
        <div className="grid justify-items-center gap-3">
          <p>There are no filtration systems yet. Upload a file of them to begin.</p>
          <CommandButton command={commandOf('filtrationSystems.upload')} primary />
        </div>
      }
    />
  )
}

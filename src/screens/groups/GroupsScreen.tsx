import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { columns } from './columns.tsx'

export function GroupsScreen() {
  return (
    <ListScreen
      entity="groups"
      title="Filtration System Groups"
      columns={columns}
      whenNone={
        <div className="grid justify-items-center gap-3">
          <p>There are no groups yet. Upload a file of them to begin.</p>
          <CommandButton command={commandOf('groups.upload')} primary />
        </div>
      }
    />
  )
}

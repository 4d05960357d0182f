import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { columns } from './columns.tsx'

export function AdminsScreen() {
  return (
    <ListScreen
      entity="admins"
      title="Admins"
      columns={columns}
      whenNone={
        <div className="grid justify-items-center gap-3">
          <p>There are no administrators yet.</p>
          <CommandButton command={commandOf('admins.create')} primary />
        </div>
      }
    />
  )
}

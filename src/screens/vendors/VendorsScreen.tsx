import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { columns } from './columns.tsx'

export function VendorsScreen() {
  return (
    <ListScreen
      entity="vendors"
      title="Vendors"
      columns={columns}
      whenNone={
        <div className="grid justify-items-center gap-3">
          <p>There are no vendors yet.</p>
          <CommandButton command={commandOf('vendors.create')} primary />
        </div>
      }
    />
  )
}

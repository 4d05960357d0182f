import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { useCartridgeTypesColumns } from './columns.tsx'

export function CartridgeTypesScreen() {
  const columns = useCartridgeTypesColumns()
  return (
    <ListScreen
      entity="cartridgeTypes"
      title="Cartridge Types"
      columns={columns}
      whenNone={
        <div className="grid justify-items-center gap-3">
          <p>There are no cartridge types yet. Upload a file of them to begin.</p>
          <CommandButton command={commandOf('cartridgeTypes.upload')} primary />
        </div>
      }
    />
  )
}

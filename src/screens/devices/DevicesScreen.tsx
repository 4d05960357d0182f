import { useMemo } from 'react'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { useUnits } from '../../store/preferences.ts'
import { deviceColumns } from './columns.tsx'

/** The devices that one may see. Their panel is `DevicePanel`. */
export function DevicesScreen() {
  const units = useUnits()
  const columns = useMemo(() => deviceColumns(units), [units])
  return <ListScreen entity="devices" title="Devices" columns={columns} whenNone={<NoDevices />} />
}

function NoDevices() {
  return (
    <div className="grid justify-items-center gap-3">
      <p>There are no devices yet. Upload a file of them to begin.</p>
      <CommandButton command={commandOf('device.upload')} primary />
    </div>
  )
}

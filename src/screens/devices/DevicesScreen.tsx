import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { queryOf, useDevices } from '../../api/hooks.ts'
import { pickable } from '../../commands/context.ts'
import { commandOf } from '../../commands/registry.ts'
import { CommandButton } from '../../commands/surfaces/CommandButton.tsx'
import { ListView } from '../../commands/surfaces/list/ListView.tsx'
import { lists, type ListState } from '../../store/lists.ts'
import { useUnits } from '../../store/preferences.ts'
import { deviceColumns } from './columns.tsx'
import { usePrefetch } from './prefetch.ts'

/** The devices that one may see: the list. Its panel is `DevicePanel`. */
export function DevicesScreen() {
  const units = useUnits()
  const query = useSnapshot(lists.devices) as ListState
  const answer = useDevices(queryOf(query))
  const columns = useMemo(() => deviceColumns(units), [units])
  usePrefetch(query, answer.data?.count)
  return (
    <ListView
      entity="devices"
      title="Devices"
      columns={columns}
      answer={answer}
      pickable={pickable}
      whenNone={<NoDevices />}
    />
  )
}

function NoDevices() {
  return (
    <div className="grid justify-items-center gap-3">
      <p>There are no devices yet. Upload a file of them to begin.</p>
      <CommandButton command={commandOf('device.upload')} primary />
    </div>
  )
}

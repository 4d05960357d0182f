import { useLocation } from 'react-router-dom'
import { useDevice } from '../../api/hooks.ts'
import { itemOf } from '../../api/lists.ts'
import { bssidInPath } from '../../domain/lists/routes.ts'
import { ListPanel } from '../../commands/surfaces/list/ListPanel.tsx'
import { useFormValues } from './settingsOf.ts'

/** The side panel beside a device's screen, with its commands; the screen shows the details. */
export function OneDevicePanel({ width, onClose }: { width: number; onClose: () => void }) {
  const bssid = bssidInPath(useLocation().pathname)
  const { data, error } = useDevice(bssid)
  const device = data?.bssid === bssid ? data : undefined
  const values = useFormValues(device)
  // The screen says why there is no device.
  if (!device && error !== undefined) return null
  return (
    <ListPanel
      entity="devices"
      targets={device ? [itemOf('devices', device)] : []}
      about={bssid}
      width={width}
      onClose={onClose}
      head={<p className="mt-0.5 text-ink2">{device?.model.name}</p>}
      values={values}
    />
  )
}

import type { DeviceDetail } from '../../api/contract/devices.ts'
import { neighboursOf } from '../../commands/devices/neighbours.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { useContextValue } from '../../commands/surfaces/run/commandHooks.ts'
import { statuses } from '../../domain/device.ts'
import { formatMatches, formatTimeAgo } from '../../domain/format.ts'
import { useNow } from '../../ui/useNow.ts'
import { StatusMark } from './StatusMark.tsx'

/** The header of a device's screen: its id, status, position in the list, and most used commands. */
export function DeviceHead({ bssid, device }: { bssid: string; device: DeviceDetail | undefined }) {
  const now = useNow()
  return (
    <header className="border-b border-line bg-panel px-4 pt-3 pb-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SurfaceButtons on="deviceHead" iconOnly className="-mr-2 -ml-2" />
        <h1 tabIndex={-1} className="font-mono text-[15px] font-semibold">
          {bssid}
        </h1>
        {device && <StatusMark status={device.status} />}
        <span className="ml-auto flex items-center gap-1">
          <Position bssid={bssid} />
          <SurfaceButtons on="deviceSteps" iconOnly />
          <SurfaceButtons on="panelToggle" iconOnly className="ml-2" />
        </span>
      </div>
      {device && (
        <>
          <p className="mt-1.5 text-ink2">
            <span role="status">{statuses[device.status].meaning}</span>{' '}
            {device.last_active ? `Last active ${formatTimeAgo(device.last_active, now)}.` : 'Never connected.'}
          </p>
          {device.description && <p className="mt-0.5 text-ink3">{device.description}</p>}
          <div className="mt-3 flex flex-wrap gap-2">
            <SurfaceButtons
              on="device"
              overrides={{ 'device.lock': !device.locked && {}, 'device.unlock': device.locked && {} }}
            />
          </div>
        </>
      )}
    </header>
  )
}

/** The device's position, `7 of 123`: in the selection, or in the list that it was opened from. */
function Position({ bssid }: { bssid: string }) {
  const text = useContextValue(() => {
    const neighbours = neighboursOf(bssid)
    if (neighbours?.position === undefined) return undefined
    const suffix = neighbours.source === 'selection' ? ' selected' : ''
    return `${formatMatches(neighbours.position)} of ${formatMatches(neighbours.count, neighbours.isEstimate)}${suffix}`
  })
  return text === undefined ? null : (
    <span className="numeric mr-1 text-[12px] whitespace-nowrap text-ink3 max-sm:sr-only">{text}</span>
  )
}

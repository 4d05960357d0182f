import type { DeviceDetail } from '../../api/contract/devices.ts'
import { neighboursOf } from '../../commands/devices/neighbours.ts'
import { commandOf } from '../../commands/commands.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { useFromContext } from '../../commands/surfaces/run/live.ts'
import { statuses } from '../../domain/device.ts'
import { timeAgo } from '../../domain/format.ts'
import { useNow } from '../../ui/useNow.ts'
import { StatusMark } from './StatusMark.tsx'

/** Which device this is, how it is, where in its list; and what is done to it most. */
export function DeviceHead({ bssid, device }: { bssid: string; device: DeviceDetail | undefined }) {
  const now = useNow()
  return (
    <header className="border-b border-line bg-panel px-4 pt-3 pb-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <CommandButton command={commandOf('device.back')} iconOnly className="-mr-2 -ml-2" />
        <h1 tabIndex={-1} className="font-mono text-[15px] font-semibold">
          {bssid}
        </h1>
        {device && <StatusMark status={device.status} />}
        <span className="ml-auto flex items-center gap-1">
          <Position bssid={bssid} />
          <CommandButton command={commandOf('device.previous')} iconOnly />
          <CommandButton command={commandOf('device.next')} iconOnly />
          <CommandButton command={commandOf('view.panel')} iconOnly className="ml-2" />
        </span>
      </div>
      {device && (
        <>
          <p className="mt-1.5 text-ink2">
            <span role="status">{statuses[device.status].meaning}</span>{' '}
            {device.last_active ? `Last heard ${timeAgo(device.last_active, now)}.` : 'It has never been heard.'}
          </p>
          {device.description && <p className="mt-0.5 text-ink3">{device.description}</p>}
          <div className="mt-3 flex flex-wrap gap-2">
            <CommandButton command={commandOf('device.flush')} />
            <CommandButton command={commandOf(device.locked ? 'device.unlock' : 'device.lock')} />
            <CommandButton command={commandOf('device.valve')} />
            <CommandButton command={commandOf('device.share')} />
            <CommandButton command={commandOf('device.charts')} />
          </div>
        </>
      )}
    </header>
  )
}

/** `7 of 123`: in the list it was opened from, or in the selection. */
function Position({ bssid }: { bssid: string }) {
  const told = useFromContext(() => {
    const here = neighboursOf(bssid)
    if (here?.position === undefined) return undefined
    const of = here.of === 'selection' ? ' selected' : ''
    return `${here.position.toLocaleString('en')} of ${here.count.toLocaleString('en')}${of}`
  })
  return told === undefined ? null : (
    <span className="numeric mr-1 text-[12px] whitespace-nowrap text-ink3">{told}</span>
  )
}

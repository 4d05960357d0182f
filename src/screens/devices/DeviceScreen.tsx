import { useParams } from 'react-router-dom'
import { ApiError } from '../../api/errors.ts'
import { useDevice } from '../../api/hooks.ts'
import { commandOf, commandsOn } from '../../commands/registry.ts'
import { CommandButton } from '../../commands/surfaces/CommandButton.tsx'
import { DeviceInfo } from './DeviceInfo.tsx'
import { StatusMark } from './StatusMark.tsx'

const controls = commandsOn('control').filter(command => command.entity === 'devices')

/** One device on a page of its own: what is known of it and what can be done to it. */
export function DeviceScreen() {
  const { bssid = '' } = useParams()
  const { data, error } = useDevice(bssid)
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <header className="flex flex-wrap items-center gap-3 border-b border-line bg-panel px-4 py-3">
        <h1 tabIndex={-1} className="font-mono text-[15px] font-semibold">
          {data?.bssid ?? bssid}
        </h1>
        {data && <StatusMark status={data.status} />}
        <span className="ml-auto">
          <CommandButton command={commandOf('go.devices')} label="All devices" />
        </span>
      </header>
      {error !== undefined && !data && (
        <p role="alert" className="p-4 text-bad">
          {error instanceof ApiError ? error.message : 'The device could not be loaded'}
        </p>
      )}
      {data && (
        <div className="grid max-w-6xl items-start lg:grid-cols-[minmax(0,1fr)_400px]">
          <div className="bg-panel lg:border-r lg:border-line">
            <h2 className="sr-only">Info</h2>
            <DeviceInfo device={data} />
          </div>
          <section aria-label="Control" className="grid grid-cols-[repeat(auto-fill,minmax(172px,1fr))] gap-2 p-4">
            {controls.map(command => (
              <CommandButton key={command.id} command={command} className="w-full" explain />
            ))}
          </section>
        </div>
      )}
    </div>
  )
}

import { useSnapshot } from 'valtio'
import { ApiError } from '../../api/errors.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { charts } from '../../store/charts.ts'
import { selections } from '../../store/selection.ts'
import type { DeviceState } from './collector.ts'
import { colourOf } from './colourOf.ts'

/** The charted devices in their colours. Pressing a name hides the device's lines, × removes it. */
export function DeviceChips({ bssids, states }: { bssids: readonly string[]; states: readonly DeviceState[] }) {
  const { onlyDevice, hiddenDevices, chosenDevices } = useSnapshot(charts)
  const { size } = selections.devices
  return (
    <div className="flex items-center gap-1.5 border-b border-line bg-panel px-3 py-1.5 max-sm:overflow-x-auto sm:flex-wrap">
      <ul aria-label="Devices" className="contents">
        {bssids.map(bssid => (
          <Chip
            key={bssid}
            bssid={bssid}
            state={states.find(state => state.bssid === bssid)}
            shown={!hiddenDevices.includes(bssid)}
            removing={onlyDevice === bssid ? 'charts.selected' : 'device.deselect'}
          />
        ))}
      </ul>
      <CommandButton command={commandOf('device.find')} label="Add" className="!h-[24px] text-[11.5px]" />
      {onlyDevice === undefined && size > bssids.length && (
        <>
          <span className="pl-1.5 text-[12px] whitespace-nowrap text-ink2">
            {chosenDevices.length > 0 ? '' : 'The first '}
            {bssids.length} of {size.toLocaleString('en')} selected devices
          </span>
          <CommandButton command={commandOf('charts.devices')} label="Choose" className="!h-[24px] text-[11.5px]" />
          {chosenDevices.length > 0 && (
            <CommandButton
              command={commandOf('charts.selected')}
              label="Use the first"
              className="!h-[24px] text-[11.5px]"
            />
          )}
        </>
      )}
      {onlyDevice !== undefined && size > 0 && (
        <CommandButton
          command={commandOf('charts.selected')}
          label={`Show the ${size.toLocaleString('en')} selected`}
          className="!h-[24px] text-[11.5px]"
        />
      )}
    </div>
  )
}

function Chip(props: {
  bssid: string
  state: DeviceState | undefined
  shown: boolean
  /** The command that removes the device. */
  removing: 'charts.selected' | 'device.deselect'
}) {
  const { bssid, state, shown, removing } = props
  const colour = colourOf(bssid)
  const failed = state !== undefined && state.data === undefined && state.error !== undefined
  const notFound = failed && state.error instanceof ApiError && state.error.status === 404
  const tooltip = [state?.data?.description, state?.data?.company].filter(Boolean).join(' · ')
  return (
    <li className="flex h-[26px] items-center rounded-md border border-line text-[11px] text-ink2">
      <button
        type="button"
        data-command="charts.hide"
        aria-pressed={shown}
        aria-label={`Lines of ${bssid}`}
        title={tooltip || undefined}
        className={`flex h-full items-center gap-1.5 rounded-l-md pr-1 pl-1.5 font-mono hover:bg-sunk hover:text-ink ${shown ? '' : 'text-ink3 line-through'}`}
        onClick={() => void run('charts.hide', { input: { device: bssid } })}
      >
        <span
          className="size-2 rounded-[3px]"
          style={shown ? { background: colour } : { boxShadow: `inset 0 0 0 1.5px ${colour}` }}
        />
        {bssid}
      </button>
      {notFound && <span className="pr-1 font-medium text-bad">not found</span>}
      {failed && !notFound && (
        <button
          type="button"
          data-command="view.refresh"
          className="pr-1 font-medium text-bad underline"
          onClick={() => void run('view.refresh')}
        >
          failed: Retry<span className="sr-only"> {bssid}</span>
        </button>
      )}
      <button
        type="button"
        data-command={removing}
        aria-label={`Remove ${bssid}`}
        className="grid h-full w-6 place-items-center rounded-r-md text-ink3 hover:bg-sunk hover:text-ink"
        onClick={() => void run(removing, removing === 'device.deselect' ? { input: { devices: [bssid] } } : {})}
      >
        <Icon name="close" size={12} />
      </button>
    </li>
  )
}

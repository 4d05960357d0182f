import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { ApiError } from '../../api/errors.ts'
import { highlight } from '../../commands/charts/actions.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { charts, chosenAndSelected } from '../../store/charts.ts'
import { selections } from '../../store/selection.ts'
import type { DeviceState } from './collector.ts'
import { colourOf } from './colourOf.ts'
import { formatNumber } from '../../domain/format.ts'

/**
 * The charted devices in their colours. Pressing or pointing at a name highlights the device's lines, the eye hides them,
 * × removes the device. One Tab stop; arrow keys go from device to device and highlight them, Escape ends that.
 */
export function DeviceChips({ bssids, states }: { bssids: readonly string[]; states: readonly DeviceState[] }) {
  const { onlyDevice, hiddenDevices, chosenDevices, highlightedDevice } = useSnapshot(charts)
  const { size } = selections.devices
  const areChosen = chosenAndSelected({ chosenDevices: [...chosenDevices] }).length > 0
  /** Whether fewer devices are charted than are selected. */
  const isPart = onlyDevice === undefined && size > bssids.length
  const list = useRef<HTMLUListElement>(null)
  const tabStop = highlightedDevice !== undefined && bssids.includes(highlightedDevice) ? highlightedDevice : bssids[0]
  const goTo = (bssid: string) => {
    highlight(bssid)
    list.current?.querySelector<HTMLElement>(`[data-device="${bssid}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
    const at = highlightedDevice === undefined ? -1 : bssids.indexOf(highlightedDevice)
    const last = bssids.length - 1
    const next = {
      ArrowRight: Math.min(at + 1, last),
      ArrowLeft: at < 0 ? last : Math.max(at - 1, 0),
      Home: 0,
      End: last,
    }[event.key]
    if (next !== undefined) goTo(bssids[next]!)
    else if (event.key === 'Escape' && highlightedDevice !== undefined) charts.highlightedDevice = undefined
    else return
    // With focus in the legend, these keys do not move the charts' cursor.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="flex shrink-0 items-center gap-1.5 border-b border-line bg-panel px-3 py-1.5 max-sm:overflow-x-auto sm:flex-wrap">
      <ul ref={list} aria-label="Devices" className="contents" onKeyDown={onKeyDown}>
        {bssids.map(bssid => (
          <Chip
            key={bssid}
            bssid={bssid}
            state={states.find(state => state.bssid === bssid)}
            shown={!hiddenDevices.includes(bssid)}
            highlighted={bssid === highlightedDevice}
            faded={highlightedDevice !== undefined && bssid !== highlightedDevice && bssids.includes(highlightedDevice)}
            tabStop={bssid === tabStop}
            removing={onlyDevice === bssid ? 'charts.selected' : 'device.deselect'}
          />
        ))}
      </ul>
      {isPart && (
        <span className="pl-1.5 text-[12px] whitespace-nowrap text-ink2">
          {areChosen ? '' : 'The first '}
          {bssids.length} of {formatNumber(size)} selected devices
        </span>
      )}
      <SurfaceButtons
        on="chartsDevices"
        className="!h-[24px] text-[11.5px]"
        overrides={{
          'device.find': { label: 'Add' },
          'charts.devices': isPart && { label: 'Choose' },
          'charts.selected':
            onlyDevice === undefined
              ? isPart && areChosen && { label: 'Use the first' }
              : size > 0 && { label: `Show the ${formatNumber(size)} selected` },
        }}
      />
    </div>
  )
}

interface ChipProps {
  bssid: string
  state: DeviceState | undefined
  shown: boolean
  highlighted: boolean
  /** Whether another device is highlighted. */
  faded: boolean
  tabStop: boolean
  /** The command that removes the device. */
  removing: 'charts.selected' | 'device.deselect'
}

const iconButton = 'grid h-full w-6 place-items-center text-ink3 hover:bg-sunk hover:text-ink'

function stopPointing(bssid: string): void {
  if (charts.pointedDevice === bssid) charts.pointedDevice = undefined
}

function Chip({ bssid, state, shown, highlighted, faded, tabStop, removing }: ChipProps) {
  const colour = colourOf(bssid)
  const failed = state !== undefined && state.data === undefined && state.error !== undefined
  const notFound = failed && state.error instanceof ApiError && state.error.status === 404
  // A chip that is removed below the pointer gets no event.
  useEffect(() => () => stopPointing(bssid), [bssid])
  const tooltip = [state?.data?.description, state?.data?.company].filter(Boolean).join(' · ')
  return (
    <li
      className={`flex h-[26px] items-center rounded-md border text-[11px] touch:h-10 ${highlighted ? 'border-ink3 bg-sunk text-ink' : 'border-line text-ink2'}`}
      onPointerEnter={event => {
        if (event.pointerType === 'mouse' && shown) charts.pointedDevice = bssid
      }}
      onPointerLeave={() => stopPointing(bssid)}
    >
      <button
        type="button"
        data-command="charts.highlight"
        data-device={bssid}
        tabIndex={tabStop ? 0 : -1}
        aria-pressed={highlighted}
        aria-label={`Highlight ${bssid}`}
        title={tooltip || undefined}
        className={`flex h-full items-center gap-1.5 rounded-l-md pr-1 pl-1.5 font-mono hover:text-ink ${shown ? '' : 'text-ink3 line-through'}`}
        onClick={() => void run('charts.highlight', { input: { device: bssid } })}
      >
        <span
          className={`size-2 rounded-[3px] ${faded ? 'opacity-40' : ''}`}
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
        data-command="charts.hide"
        tabIndex={-1}
        aria-pressed={shown}
        aria-label={`Lines of ${bssid}`}
        title={shown ? 'Hide (h)' : 'Show (h)'}
        className={iconButton}
        onClick={() => void run('charts.hide', { input: { device: bssid } })}
      >
        <Icon name={shown ? 'eye' : 'eyeOff'} size={12} />
      </button>
      <button
        type="button"
        data-command={removing}
        tabIndex={-1}
        aria-label={`Remove ${bssid}`}
        className={`${iconButton} rounded-r-md`}
        onClick={() => void run(removing, removing === 'device.deselect' ? { input: { devices: [bssid] } } : {})}
      >
        <Icon name="close" size={12} />
      </button>
    </li>
  )
}

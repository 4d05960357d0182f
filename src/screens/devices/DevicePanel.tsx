import { useRef } from 'react'
import { useDevice } from '../../api/hooks.ts'
import type { Device, DeviceDetail } from '../../api/contract/devices.ts'
import { ListPanel, type FormValues } from '../../commands/surfaces/list/ListPanel.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { useTargets } from '../../commands/surfaces/list/useTargets.ts'
import { statuses, type StatusCode } from '../../domain/device.ts'
import { selections, isPlaceholder, useSelection, type DeviceItem } from '../../store/selection.ts'
import { DeviceInfo } from './DeviceInfo.tsx'
import { useKnownDevices } from './knownDevices.ts'
import { MatchesInfo, PageInfo, SelectionInfo } from './SelectionInfo.tsx'
import { commonSettings, useFormValues } from './settingsOf.ts'
import { StatusMark } from './StatusMark.tsx'
import { formatNumber } from '../../domain/format.ts'
import { useFocusAfterRemoval } from '../../ui/focus/focusAfterRemoval.ts'

/** The side panel of the devices: details and commands of the selected devices, or of the focused row. */
export function DevicePanel({ width, onClose }: { width: number; onClose: () => void }) {
  const targets = useTargets('devices')
  const only = targets.length === 1 ? targets[0] : undefined
  const detail = useDevice(only?.id)
  const known = useKnownDevices(targets)
  const device = detail.data?.bssid === only?.id ? detail.data : undefined
  const values = useFormValues(device)
  return (
    <ListPanel
      entity="devices"
      targets={targets}
      width={width}
      onClose={onClose}
      head={targets.length > 0 && !targets.some(isPlaceholder) ? <PanelHead targets={targets} /> : undefined}
      info={<Info targets={targets} only={only} device={device} error={detail.error} />}
      values={only ? values : valuesOfMany(targets, known)}
    />
  )
}

/** The settings that several devices share; none unless all of the devices are known. */
const valuesOfMany = (targets: readonly DeviceItem[], known: readonly Device[]): FormValues | undefined => {
  if (known.length < targets.length) return undefined
  // A description belongs to one device.
  const { 'device.description': _, ...settings } = commonSettings(known)
  return settings
}

/** The maximum number of devices that are listed. */
const maxChips = 6

function PanelHead({ targets }: { targets: readonly DeviceItem[] }) {
  const chips = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(chips, 'button', 'list-title')
  if (targets.length === 1)
    return (
      <div className="mt-1.5 flex items-center gap-2">
        <StatusMark status={targets[0]!.status as StatusCode} />
        <span className="truncate text-ink2">{targets[0]!.company}</span>
      </div>
    )
  return (
    <>
      <p className="mt-0.5 text-ink2">{statusCounts(targets.map(target => target.status))}</p>
      <ul ref={chips} className="mt-2 flex flex-wrap gap-1.5" aria-label="Selected devices">
        {targets.slice(0, maxChips).map(target => (
          <li key={target.id}>
            <button
              type="button"
              data-command="device.deselect"
              title="Remove from selection"
              className="flex items-center gap-1.5 rounded-md border border-line px-1.5 py-0.5 font-mono text-[11px] text-ink2 hover:border-ink3"
              onClick={() => void run('device.deselect', { input: { devices: [target.id] } })}
            >
              <span className="size-2 rounded-[3px]" style={{ background: selections.devices.colourOf(target.id) }} />
              {target.id}
            </button>
          </li>
        ))}
        {targets.length > maxChips && (
          <li className="rounded-md border border-line px-1.5 py-0.5 font-mono text-[11px] text-ink2">
            +{formatNumber(targets.length - maxChips)}
          </li>
        )}
      </ul>
    </>
  )
}

/** Counts devices by status: `7 ready or working · 2 offline`. */
const statusCounts = (codes: readonly number[]): string => {
  const tones = codes.map(code => statuses[code as keyof typeof statuses].tone)
  const count = (...wanted: string[]) => tones.filter(tone => wanted.includes(tone)).length
  return [
    [count('ok', 'busy'), 'ready or working'],
    [count('mute'), 'offline'],
    [count('warn', 'bad'), 'need attention'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${formatNumber(Number(count))} ${what}`)
    .join(' · ')
}

function Info(props: {
  targets: readonly DeviceItem[]
  only: DeviceItem | undefined
  device: DeviceDetail | undefined
  error: unknown
}) {
  const { targets, only, device, error } = props
  const { query } = useSelection('devices')
  if (only && error !== undefined && !device)
    return <p className="p-4 text-bad">{error instanceof Error ? error.message : 'The device could not be loaded'}</p>
  // The targets are debounced: for a moment they can be those of a search that is no longer followed.
  if (targets.some(isPlaceholder)) return query && <MatchesInfo query={query} count={targets.length} />
  if (only) return device ? <DeviceInfo device={device} /> : <div className="m-4 h-40 skeleton" />
  if (targets.length === 0) return <PageInfo />
  return <SelectionInfo targets={targets} />
}

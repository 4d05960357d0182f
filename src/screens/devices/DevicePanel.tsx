import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useDevice } from '../../api/hooks.ts'
import type { DeviceDetail } from '../../api/contract/devices.ts'
import { commandOf, commandsOn } from '../../commands/registry.ts'
import { CommandButton } from '../../commands/surfaces/CommandButton.tsx'
import { CommandForm } from '../../commands/surfaces/CommandForm.tsx'
import { useFromContext } from '../../commands/surfaces/live.ts'
import { currentContext } from '../../commands/context.ts'
import type { StatusCode } from '../../domain/device.ts'
import { layout, type PanelTab } from '../../store/layout.ts'
import type { Pickable } from '../../store/selection.ts'
import { selection } from '../../store/selection.ts'
import { Panel } from '../../ui/Panel.tsx'
import { useSettled } from '../../ui/useSettled.ts'
import { statusCounts } from './columns.tsx'
import { DeviceInfo } from './DeviceInfo.tsx'
import { StatusMark } from './StatusMark.tsx'

const tabs: readonly { id: PanelTab; title: string }[] = [
  { id: 'info', title: 'Info' },
  { id: 'settings', title: 'Settings' },
  { id: 'control', title: 'Control' },
  { id: 'create', title: 'Create' },
]

const settings = commandsOn('settings')
const updates = commandsOn('update')
const controls = commandsOn('control')
const creates = commandsOn('create')

/** The side panel of the devices: what is selected, or the focused row, and all that can be done to it. */
export function DevicePanel({ width, onClose }: { width: number; onClose: () => void }) {
  const { panelTab } = useSnapshot(layout)
  const targets = useTargets()
  const only = targets.length === 1 ? targets[0] : undefined
  const detail = useDevice(only?.id)
  const title =
    targets.length === 0 ? 'No devices selected' : only ? only.id : `${targets.length.toLocaleString('en')} devices`
  const count = targets.length === 1 ? '1 device' : `${targets.length.toLocaleString('en')} devices`
  const device = detail.data?.bssid === only?.id ? detail.data : undefined
  // Another target's forms are other forms: what was typed for one must not be applied to the next.
  const formKey = only?.id ?? 'many'

  return (
    <Panel
      title={title}
      mono={only !== undefined}
      width={width}
      onClose={onClose}
      actions={<CommandButton command={commandOf('view.panelWidth')} iconOnly />}
      head={<PanelHead targets={targets} />}
      tabs={tabs}
      tab={panelTab}
      onTab={tab => (layout.panelTab = tab)}
    >
      {panelTab === 'info' && <Info targets={targets} only={only} device={device} error={detail.error} />}
      {panelTab === 'settings' && (
        <>
          {settings.map(command => (
            <CommandForm
              key={`${command.id} ${formKey}`}
              command={command}
              action={`Apply to ${count}`}
              values={device && settingsOf(device)[command.id]}
            />
          ))}
          {updates.map(command => (
            <CommandForm
              key={`${command.id} ${formKey}`}
              command={command}
              action="Save"
              values={device && { description: device.description }}
            />
          ))}
        </>
      )}
      {panelTab === 'control' && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(172px,1fr))] gap-2 p-4">
          {controls.map(command => (
            <CommandButton key={command.id} command={command} className="w-full" explain />
          ))}
        </div>
      )}
      {panelTab === 'create' &&
        creates.map(command => <CommandForm key={command.id} command={command} action="Upload" />)}
    </Panel>
  )
}

/** What a device's settings are now, as the values of the commands that set them. */
const settingsOf = (device: DeviceDetail): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  'device.autoFlush': device.flush,
  'device.idleProtection': { duration: device.idle_protection },
  'device.bypass': device.bypass,
  'device.uv': { mode: device.uv },
})

/** Milliseconds for which the focus must rest on a row before the panel follows it. */
const rest = 140

/** What commands act on. The selection shows at once; a moving focus only where it comes to rest. */
function useTargets(): readonly Pickable[] {
  const version = useFromContext(({ devices }) => `${selection.version} ${devices[0]?.id ?? ''}`)
  const settled = useSettled(version, selection.size > 0 ? 0 : rest)
  const [targets, setTargets] = useState<readonly Pickable[]>([])
  useEffect(() => setTargets(currentContext().devices), [settled])
  return targets
}

const mostChips = 6

function PanelHead({ targets }: { targets: readonly Pickable[] }) {
  if (targets.length === 0) return <p className="mt-0.5 text-ink2">Move to a row, or select some.</p>
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
      <ul className="mt-2 flex flex-wrap gap-1.5" aria-label="Selected devices">
        {targets.slice(0, mostChips).map(target => (
          <li key={target.id}>
            <button
              type="button"
              title="Take it out of the selection"
              className="flex items-center gap-1.5 rounded-md border border-line px-1.5 py-0.5 font-mono text-[11px] text-ink2 hover:border-ink3"
              onClick={() => selection.remove([target.id])}
            >
              <span className="size-2 rounded-[3px]" style={{ background: selection.colourOf(target.id) }} />
              {target.id}
            </button>
          </li>
        ))}
        {targets.length > mostChips && (
          <li className="rounded-md border border-line px-1.5 py-0.5 font-mono text-[11px] text-ink2">
            +{(targets.length - mostChips).toLocaleString('en')}
          </li>
        )}
      </ul>
    </>
  )
}

function Info(props: {
  targets: readonly Pickable[]
  only: Pickable | undefined
  device: DeviceDetail | undefined
  error: unknown
}) {
  const { targets, only, device, error } = props
  if (only && error !== undefined && !device)
    return <p className="p-4 text-bad">{error instanceof Error ? error.message : 'The device could not be loaded'}</p>
  if (only) return device ? <DeviceInfo device={device} /> : <div className="m-4 h-40 skeleton" />
  if (targets.length === 0) return <p className="p-4 text-ink2">What is known of a device stands here.</p>
  const companies = new Map<string, number>()
  for (const { company } of targets) companies.set(company, (companies.get(company) ?? 0) + 1)
  return (
    <section className="p-4" aria-label="Companies">
      <h3 className="mb-2 text-[12.5px] font-semibold">By company</h3>
      <dl>
        {[...companies]
          .sort((a, b) => b[1] - a[1])
          .map(([company, count]) => (
            <div key={company} className="flex justify-between border-b border-line py-1">
              <dt className="text-ink2">{company}</dt>
              <dd className="numeric">{count.toLocaleString('en')}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

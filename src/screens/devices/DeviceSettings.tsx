import type { Device } from '../../api/contract/devices.ts'
import { allSettings, settings, settingValues } from '../../api/contract/settings.ts'
import { commandOf } from '../../commands/core/registry.ts'
import type { CommandId } from '../../commands/core/commandId.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { flushFrequencies, flushFrequencyNames, flushModes, smartFlushNames } from '../../domain/device.ts'
import { formatAmount, noValue } from '../../domain/format.ts'
import { unitOf } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { Row, Rows, Section } from './Section.tsx'

/** A button without border and background, so that many buttons do not dominate the values beside them. */
const quietButton =
  '!h-[26px] !border-transparent !bg-transparent text-[12px] !text-accent hover:!bg-sunk [&>svg]:hidden -mr-2'

const changeButton = (id: CommandId) => <CommandButton command={commandOf(id)} label="Change" className={quietButton} />

/** The device's settings, each with the button of the command that changes it. */
export function DeviceSettings({ device }: { device: Device }) {
  const units = useUnits()
  const { flush } = device
  return (
    <Section title="Auto-flush" actions={changeButton('device.autoFlush')}>
      <Rows>
        <Row name="Smart flush">{flush.smart ? smartFlushNames[flush.smart] : 'Disabled'}</Row>
        <Row name="Mode">{flushModes[flush.mode]}</Row>
        <Row name="Frequency">
          every {flushFrequencyNames[flushFrequencies.indexOf(flush.frequency)] ?? noValue} draw
        </Row>
        <Row name="Duration">{flush.duration} s</Row>
        <Row name="Volume">
          {formatAmount(flush.volume, 'volume', units)} {unitOf('volume', units).symbol}
        </Row>
      </Rows>
      <h2 className="mt-5 mb-1 text-[13px] font-semibold tracking-tight">Protection and mixing</h2>
      <Rows>
        {allSettings.map(
          ([name, setting]) =>
            setting.displayText && (
              <Setting key={name} name={setting.title} command={settings[name].command}>
                {setting.displayText(settingValues(setting, device[name]))}
              </Setting>
            ),
        )}
        <Setting name="Valve" command="device.valve">
          {device.valve_closed ? 'Closed' : 'Open'}
        </Setting>
        <Setting name="Vendor lock" command={device.locked ? 'device.unlock' : 'device.lock'} label="">
          {device.locked ? 'Locked' : 'Unlocked'}
        </Setting>
      </Rows>
    </Section>
  )
}

/** A row with a setting's value and the button that changes it. An empty `label` uses the command's title. */
export function Setting(props: { name: string; command: CommandId; label?: string; children: React.ReactNode }) {
  const { name, command, label = 'Change' } = props
  const definition = commandOf(command)
  return (
    <div className="flex items-center justify-between gap-x-3 border-b border-line py-1 last:border-0 last:pb-0">
      <dt className="shrink-0 text-ink3">{name}</dt>
      <dd className="flex min-w-0 items-center gap-2 tabular-nums">
        <span className="min-w-0 text-right break-words">{props.children}</span>
        <CommandButton command={definition} label={label === '' ? definition.title : label} className={quietButton} />
      </dd>
    </div>
  )
}

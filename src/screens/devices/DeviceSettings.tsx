import type { Device } from '../../api/contract/devices.ts'
import { allSettings, settingValues } from '../../api/contract/settings.ts'
import { commandOf } from '../../commands/commands.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { flushFrequencies, flushFrequencyNames, flushModes, smartFlushNames } from '../../domain/device.ts'
import { amount, missing } from '../../domain/format.ts'
import { unitOf } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { Row, Rows, Section } from './Section.tsx'

/** Beside each of many values a button of full weight would be louder than the values. */
const quiet =
  '!h-[26px] !border-transparent !bg-transparent text-[12px] !text-accent hover:!bg-sunk [&>svg]:hidden -mr-2'

const change = (id: string) => <CommandButton command={commandOf(id)} label="Change" className={quiet} />

/** The device's settings, each with the button of the command that changes it. */
export function DeviceSettings({ device }: { device: Device }) {
  const units = useUnits()
  const { flush } = device
  return (
    <Section title="Auto-flush" actions={change('device.autoFlush')}>
      <Rows>
        <Row name="Smart flush">{flush.smart ? smartFlushNames[flush.smart] : 'Disabled'}</Row>
        <Row name="Mode">{flushModes[flush.mode]}</Row>
        <Row name="Frequency">
          every {flushFrequencyNames[flushFrequencies.indexOf(flush.frequency)] ?? missing} draw
        </Row>
        <Row name="Duration">{flush.duration} s</Row>
        <Row name="Volume">
          {amount(flush.volume, 'volume', units)} {unitOf('volume', units).symbol}
        </Row>
      </Rows>
      <h2 className="mt-5 mb-1 text-[13px] font-semibold tracking-tight">Protection and mixing</h2>
      <Rows>
        {allSettings.map(
          ([name, setting]) =>
            setting.shown && (
              <Setting key={name} name={setting.title} command={setting.command}>
                {setting.shown(settingValues(setting, device[name]))}
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

/** A setting of one value, with its own command in its row. */
export function Setting(props: { name: string; command: string; label?: string; children: React.ReactNode }) {
  const { name, command, label = 'Change' } = props
  const of = commandOf(command)
  return (
    <div className="flex items-center justify-between gap-x-3 border-b border-line py-1 last:border-0 last:pb-0">
      <dt className="shrink-0 text-ink3">{name}</dt>
      <dd className="flex min-w-0 items-center gap-2 tabular-nums">
        <span className="min-w-0 text-right break-words">{props.children}</span>
        <CommandButton command={of} label={label === '' ? of.title : label} className={quiet} />
      </dd>
    </div>
  )
}

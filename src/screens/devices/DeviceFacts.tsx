import type { DeviceDetail } from '../../api/contract/devices.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { noZone } from '../../commands/arguments/choices.ts'
import { powerModes } from '../../domain/device.ts'
import {
  formatTimeAgo,
  formatAmount,
  formatNumber,
  noValue,
  formatPercent,
  formatDateTime,
  formatTimeIn,
} from '../../domain/format.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { totalsOf } from '../../domain/totals.ts'
import { unitOf } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { useNow } from '../../ui/useNow.ts'
import { Setting } from './DeviceSettings.tsx'
import { Row, Rows, Section } from './Section.tsx'

/** The device's properties: model, owner, description, time zone, water supply and lifetime amounts. */
export function DeviceFacts({ device }: { device: DeviceDetail }) {
  const units = useUnits()
  const now = useNow()
  const volume = (value: number) => `${formatAmount(value, 'volume', units)} ${unitOf('volume', units).symbol}`
  return (
    <Section title="Device">
      <Rows>
        <Setting name="Model" command="device.model">
          {device.model.name}
        </Setting>
        <Setting name="Filtration system" command="device.filtrationSystem">
          {device.filtration_system?.model ?? noValue}
        </Setting>
        <Setting name="Description" command="device.description">
          {device.description || noValue}
        </Setting>
        <Setting name="Time zone" command="device.timeZone">
          {device.time_zone ?? noZone.name}, <span className="whitespace-nowrap">{clock(device.time_zone, now)}</span>
        </Setting>
        <Setting name="Water supply" command="device.waterSupply">
          {device.water_supply ?? noValue}
        </Setting>
        <Row name="Platform">{device.platform}</Row>
        <Row name="Company">{device.vendor.company_name}</Row>
        <Row name="Lifetime feed">{volume(device.feed)}</Row>
        <Row name="Lifetime permeate">{volume(device.permeate)}</Row>
        <Row name="Lifetime waste">{volume(device.waste)}</Row>
        <Row name="Last active">{device.last_active ? formatDateTime(device.last_active) : 'never'}</Row>
        <Row name="Created">{formatDateTime(device.created_at)}</Row>
        <Row name="Updated">{formatDateTime(device.updated_at)}</Row>
      </Rows>
    </Section>
  )
}

/** The totals and means of the device's readings in the last 24 hours. */
export function LastDayStatistics({ device }: { device: DeviceDetail }) {
  const units = useUnits()
  const now = useNow()
  const { permeate, waste, recovery, rejection } = totalsOf(device.statistics.points)
  const litres = (value: number | null) =>
    value === null ? noValue : `${formatAmount(value, 'volume', units)} ${unitOf('volume', units).symbol}`
  const share = (value: number | null) => (value === null ? noValue : `${formatPercent(value)} %`)
  return (
    <Section title="Last 24 hours">
      <Rows>
        <Row name="Permeate">{litres(permeate)}</Row>
        <Row name="Waste">{litres(waste)}</Row>
        <Row name="Mean recovery">{share(recovery)}</Row>
        <Row name="Mean rejection">{share(rejection)}</Row>
        <Row name="Last reading">{device.reading_at ? formatTimeAgo(device.reading_at, now) : noValue}</Row>
      </Rows>
    </Section>
  )
}

/** Formats the time of day in a zone, or in the browser's zone for null: `14:05`. */
const clock = (zone: string | null, now: number): string => formatTimeIn(zone ?? systemTimeZone(), now)

/** The installed firmware and the versions available for the device. */
export function Firmware({ device }: { device: DeviceDetail }) {
  const { firmware, firmware_versions: versions } = device
  const installed = versions.indexOf(firmware)
  const newer = installed < 0 ? versions : versions.slice(0, installed)
  return (
    <Section
      title="Firmware"
      anchor="firmware"
      actions={<CommandButton command={commandOf('device.updateFirmware')} label="Update" />}
    >
      <Rows>
        <Row name="Installed">{firmware || noValue}</Row>
        <Row name="Update">{versions[0] === undefined ? noValue : newer.length === 0 ? 'Up to date' : versions[0]}</Row>
        <Row name="Available versions">{versions.join(', ') || noValue}</Row>
      </Rows>
    </Section>
  )
}

/** The power supply, the battery level, and sharing. */
export function Power({ device }: { device: DeviceDetail }) {
  const { battery_level: level } = device
  return (
    <Section title="Power and sharing" anchor="power" actions={<CommandButton command={commandOf('device.share')} />}>
      <Rows>
        <Row name="Power">{powerModes[device.power_mode]}</Row>
        {level !== null && (
          <Row name="Battery">
            <span className="inline-flex items-center gap-2">
              <span
                role="meter"
                aria-label="Battery"
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={Math.round(level)}
                className="h-1.5 w-20 overflow-hidden rounded-full bg-mute-soft"
              >
                <span
                  className={`block h-full ${level <= 5 ? 'bg-bad' : level <= 20 ? 'bg-warn' : 'bg-ok'}`}
                  style={{ width: `${level}%` }}
                />
              </span>
              {formatNumber(level)} %
            </span>
          </Row>
        )}
      </Rows>
      <p className="mt-2.5 text-[12px] text-ink3">
        Share creates a code for the mobile app. The code works once and is valid for 10 minutes; a new code replaces
        it.
      </p>
    </Section>
  )
}

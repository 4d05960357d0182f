import type { DeviceDetail } from '../../api/contract/devices.ts'
import { powerModes, statuses, updatingStatus } from '../../domain/device.ts'
import {
  formatAmount,
  formatNumber,
  noValue,
  formatPercent,
  formatDateTime,
  formatTimeAgo,
} from '../../domain/format.ts'
import { totalsOf } from '../../domain/totals.ts'
import { unitOf, type Quantity } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { useNow } from '../../ui/useNow.ts'
import { Cartridges } from './Cartridges.tsx'
import { HealthActions } from './health/HealthActions.tsx'
import { HealthContent } from './health/HealthContent.tsx'

/** The details of a device in the side panel: the last 24 hours, latest reading, cartridges and properties. */
export function DeviceInfo({ device }: { device: DeviceDetail }) {
  const units = useUnits()
  const now = useNow()
  const withUnit = (value: number | null, quantity: Quantity) =>
    value === null ? noValue : `${formatAmount(value, quantity, units)} ${unitOf(quantity, units).symbol}`
  const rate = (value: number | null) => (value === null ? noValue : `${formatPercent(value)} %`)
  const lastDay = totalsOf(device.statistics.points)
  return (
    <>
      {device.status === updatingStatus && (
        <p className="border-b border-line bg-warn-soft px-4 py-2.5 text-warn">
          {statuses[updatingStatus].meaning} {device.firmware && `Its firmware is ${device.firmware} until then.`}
        </p>
      )}
      <Facts title="Last 24 hours" columns>
        <Fact name="Permeate">{withUnit(lastDay.permeate, 'volume')}</Fact>
        <Fact name="Waste">{withUnit(lastDay.waste, 'volume')}</Fact>
        <Fact name="Mean recovery">{rate(lastDay.recovery)}</Fact>
        <Fact name="Mean rejection">{rate(lastDay.rejection)}</Fact>
        <Fact name="Last reading">{device.reading_at ? formatTimeAgo(device.reading_at, now) : noValue}</Fact>
      </Facts>
      <Facts title="Latest reading" columns>
        <Fact name="Recovery rate">{rate(device.recovery_rate)}</Fact>
        <Fact name="Rejection rate">{rate(device.rejection_rate)}</Fact>
        <Fact name="Temperature">{withUnit(device.temperature, 'temperature')}</Fact>
        <Fact name="Pressure">{withUnit(device.pressure, 'pressure')}</Fact>
        <Fact name="Feed TDS">{withUnit(device.feed_tds, 'concentration')}</Fact>
        <Fact name="Permeate TDS">{withUnit(device.permeate_tds, 'concentration')}</Fact>
      </Facts>
      <section data-health aria-labelledby="panel-health" className="border-b border-line px-4 py-3.5">
        <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
          <h3 id="panel-health" className="text-[12.5px] font-semibold">
            Health
          </h3>
          <HealthActions />
        </div>
        <HealthContent device={device} compact />
      </section>
      <Facts title="Lifetime" columns>
        <Fact name="Feed">{withUnit(device.feed, 'volume')}</Fact>
        <Fact name="Permeate">{withUnit(device.permeate, 'volume')}</Fact>
        <Fact name="Waste">{withUnit(device.waste, 'volume')}</Fact>
      </Facts>
      <section className="border-b border-line px-4 py-3.5">
        <h3 className="mb-2 text-[12.5px] font-semibold">Filters</h3>
        <Cartridges cartridges={device.cartridges} />
      </section>
      <Facts title="Device">
        <Fact name="Status">{statuses[device.status].meaning}</Fact>
        <Fact name="Description">{device.description || noValue}</Fact>
        <Fact name="Model">{device.model.name}</Fact>
        <Fact name="Platform">{device.platform}</Fact>
        <Fact name="Filtration system">{device.filtration_system?.model ?? noValue}</Fact>
        <Fact name="Company">{device.vendor.company_name}</Fact>
        <Fact name="Vendor lock">{device.locked ? 'Locked' : 'Unlocked'}</Fact>
        <Fact name="Valve">{device.valve_closed ? 'Closed' : 'Open'}</Fact>
        <Fact name="Firmware">{device.firmware || noValue}</Fact>
        <Fact name="Power">
          {powerModes[device.power_mode]}
          {device.battery_level !== null && `, ${formatNumber(device.battery_level)} %`}
        </Fact>
        <Fact name="Time zone">{device.time_zone ?? noValue}</Fact>
        <Fact name="Water supply">{device.water_supply ?? noValue}</Fact>
        <Fact name="Last active">
          {device.last_active
            ? `${formatDateTime(device.last_active)} (${formatTimeAgo(device.last_active, now)})`
            : 'never'}
        </Fact>
        <Fact name="Created">{formatDateTime(device.created_at)}</Fact>
      </Facts>
    </>
  )
}

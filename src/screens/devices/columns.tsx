/** The columns of the devices list: every field of the specification's section 3. */
import type { Device } from '../../api/contract/devices.ts'
import { columnNames } from '../../domain/columnNames.ts'
import {
  bypassStates,
  flushFrequencies,
  flushFrequencyNames,
  flushModes,
  powerModes,
  smartFlushNames,
  statuses,
  uvModes,
} from '../../domain/device.ts'
import { remainingLife, remainingShare } from '../../domain/filterLife.ts'
import { ago, amount, toFixed, missing, percent, shortDate } from '../../domain/format.ts'
import { unitOf, type Quantity, type UnitChoice } from '../../domain/units.ts'
import type { Column } from '../../ui/table/column.ts'
import { StatusMark } from './StatusMark.tsx'

type Id = keyof typeof columnNames.devices
interface Made extends Omit<Column<Device>, 'title'> {
  readonly id: Id
  readonly unit?: string
}

const text = (id: Id, width: number, value: (device: Device) => string): Made => ({ id, width, cell: value })
const number = (id: Id, width: number, unit: string, value: (device: Device) => string): Made => ({
  id,
  width,
  unit,
  align: 'end',
  cell: value,
})

/** What fits over a narrow column of numbers. */
const shortNames: Partial<Record<Id, string>> = {
  temperature: 'Temp.',
  pressure: 'Press.',
  permeate_tds: 'Perm. TDS',
  idle_protection: 'Idle prot.',
  flush_duration: 'Flush dur.',
  flush_volume: 'Flush vol.',
}

/** Made anew when the units change, and only then. */
export function deviceColumns(units: UnitChoice): readonly Column<Device>[] {
  const quantity = (id: Id & keyof Device, width: number, of: Quantity) =>
    number(id, width, unitOf(of, units).symbol, device => amount(device[id] as number | null, of, units))
  const made: readonly Made[] = [
    { id: 'bssid', width: 156, cell: device => <span className="font-mono text-[12px]">{device.bssid}</span> },
    { id: 'status', width: 182, cell: device => <StatusMark status={device.status} /> },
    text('model', 128, device => device.model.name),
    text('company_name', 168, device => device.vendor.company_name),
    {
      id: 'recovery_rate',
      width: 104,
      unit: '%',
      align: 'end',
      cell: device => <Metered value={device.recovery_rate} />,
    },
    number('rejection_rate', 98, '%', device => percent(device.rejection_rate)),
    quantity('temperature', 84, 'temperature'),
    quantity('pressure', 88, 'pressure'),
    quantity('feed_tds', 110, 'concentration'),
    quantity('permeate_tds', 122, 'concentration'),
    quantity('feed', 108, 'volume'),
    quantity('permeate', 108, 'volume'),
    quantity('waste', 108, 'volume'),
    { id: 'cartridges', width: 128, cell: nextCartridge },
    text('locked', 104, device => (device.locked ? 'Locked' : 'Unlocked')),
    number('last_active', 102, '', device => ago(device.last_active, Date.now())),
    text('platform', 90, device => device.platform),
    text('filtration_system', 136, device => device.filtration_system?.model ?? missing),
    text('flush_smart', 126, device => (device.flush.smart ? smartFlushNames[device.flush.smart] : 'Disabled')),
    text('flush_mode', 98, device => flushModes[device.flush.mode]),
    number(
      'flush_frequency',
      104,
      '',
      device => flushFrequencyNames[flushFrequencies.indexOf(device.flush.frequency)] ?? missing,
    ),
    number('flush_duration', 108, 's', device => String(device.flush.duration)),
    number('flush_volume', 102, unitOf('volume', units).symbol, device => amount(device.flush.volume, 'volume', units)),
    number('idle_protection', 116, 'min', device => String(device.idle_protection)),
    number('bypass_smart', 112, '', device => String(device.bypass.smart)),
    text('bypass_state', 112, device => bypassStates[device.bypass.state]),
    text('uv', 64, device => uvModes[device.uv]),
    text('valve_closed', 84, device => (device.valve_closed ? 'Closed' : 'Open')),
    text('firmware', 92, device => device.firmware),
    text('power_mode', 112, device => powerModes[device.power_mode]),
    number('battery_level', 92, '%', device =>
      device.battery_level === null ? missing : toFixed(device.battery_level, 0),
    ),
    text('time_zone', 148, device => device.time_zone ?? missing),
    text('created_at', 112, device => shortDate(device.created_at)),
    text('updated_at', 112, device => shortDate(device.updated_at)),
    text('description', 220, device => device.description),
  ]
  const withUnit = (name: string, unit: string | undefined) => (unit ? `${name} ${unit}` : name)
  return made.map(({ unit, ...column }) => {
    const short = shortNames[column.id]
    return {
      ...column,
      title: withUnit(columnNames.devices[column.id], unit),
      ...(short && { head: withUnit(short, unit) }),
    }
  })
}

function Metered({ value }: { value: number | null }) {
  return (
    <>
      {value !== null && (
        <span className="mr-2 inline-block h-1 w-[30px] overflow-clip rounded-full bg-mute-soft align-middle">
          <span className="block h-full bg-accent" style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
        </span>
      )}
      {percent(value)}
    </>
  )
}

/** The cartridge that needs replacing first. */
function nextCartridge(device: Device) {
  const now = Date.now()
  const first = device.cartridges.toSorted((a, b) => remainingShare(a, now) - remainingShare(b, now))[0]
  if (!first) return missing
  const life = remainingLife(first, now)
  return (
    <span className={life === 'Expired' ? 'font-medium text-bad' : ''} title={first.model}>
      {life}
      {device.cartridges.length > 1 && <span className="text-ink3"> · {device.cartridges.length}</span>}
    </span>
  )
}

export const statusCounts = (codes: readonly number[]): string => {
  const tones = codes.map(code => statuses[code as keyof typeof statuses].tone)
  const of = (...wanted: string[]) => tones.filter(tone => wanted.includes(tone)).length
  return [
    [of('ok', 'busy'), 'ready or working'],
    [of('mute'), 'offline'],
    [of('warn', 'bad'), 'need attention'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${Number(count).toLocaleString('en')} ${what}`)
    .join(' · ')
}

/** The columns of the devices' list, as they are exported. */
import type { Device } from '../../api/contract/devices.ts'
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
import { remainingLife } from '../../domain/filterLife.ts'
import { isoIn } from '../../domain/zone.ts'
import { amountOf, count, text, time, type ListColumn } from './column.ts'

export const deviceColumns: readonly ListColumn<Device>[] = [
  text('bssid', device => device.bssid),
  text('status', device => statuses[device.status].label),
  text('model', device => device.model.name),
  text('company_name', device => device.vendor.company_name),
  count('recovery_rate', '%', device => device.recovery_rate),
  count('rejection_rate', '%', device => device.rejection_rate),
  amountOf('temperature', 'temperature', device => device.temperature),
  amountOf('pressure', 'pressure', device => device.pressure),
  amountOf('feed_tds', 'concentration', device => device.feed_tds),
  amountOf('permeate_tds', 'concentration', device => device.permeate_tds),
  amountOf('feed', 'volume', device => device.feed),
  amountOf('permeate', 'volume', device => device.permeate),
  amountOf('waste', 'volume', device => device.waste),
  // Each with what remains of it, and the day on which its time is over.
  {
    id: 'cartridges',
    value: (device, { zone, now }) =>
      device.cartridges
        .map(
          one => `${one.model}: ${remainingLife(one, now)} (${isoIn(zone, Date.parse(one.replace_at)).slice(0, 10)})`,
        )
        .join('; '),
  },
  text('locked', device => (device.locked ? 'Locked' : 'Unlocked')),
  time('last_active', device => device.last_active),
  text('platform', device => device.platform),
  text('filtration_system', device => device.filtration_system?.model ?? null),
  text('flush_smart', device => (device.flush.smart ? smartFlushNames[device.flush.smart] : 'Disabled')),
  text('flush_mode', device => flushModes[device.flush.mode]),
  text('flush_frequency', device => flushFrequencyNames[flushFrequencies.indexOf(device.flush.frequency)] ?? null),
  count('flush_duration', 's', device => device.flush.duration),
  amountOf('flush_volume', 'volume', device => device.flush.volume),
  count('idle_protection', 'min', device => device.idle_protection),
  count('bypass_smart', '', device => device.bypass.smart),
  text('bypass_state', device => bypassStates[device.bypass.state]),
  text('uv', device => uvModes[device.uv]),
  text('valve_closed', device => (device.valve_closed ? 'Closed' : 'Open')),
  text('firmware', device => device.firmware),
  text('power_mode', device => powerModes[device.power_mode]),
  count('battery_level', '%', device => device.battery_level),
  text('time_zone', device => device.time_zone),
  time('created_at', device => device.created_at),
  time('updated_at', device => device.updated_at),
  text('description', device => device.description),
]

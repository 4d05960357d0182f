/** Where the columns of the devices' list are found, and what each sorts by. */
import { sql, type SQL } from 'drizzle-orm'
import { deviceColumns } from '../../../src/api/contract/devices.ts'
import { bssidParts, normaliseBssid } from '../../../src/domain/bssid.ts'
import { deviceCartridges, deviceCounts, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes, filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { ListColumn, Listed } from '../shared/list.ts'
import { company, named, plain } from '../shared/listColumns.ts'

const columns: Record<keyof typeof deviceColumns.by, ListColumn> = {
  bssid: { ...plain(devices.bssid), fold: 'upper', normalise: normaliseBssid, parts: bssidParts },
  platform: plain(devices.platform_key),
  model: named(devices.model_id, deviceModels, deviceModels.id, deviceModels.name_key),
  filtration_system: named(
    devices.filtration_system_id,
    filtrationSystems,
    filtrationSystems.id,
    filtrationSystems.model_key,
  ),
  company_name: company(devices.vendor_id),
  status: plain(devices.status),
  locked: plain(devices.locked),
  valve_closed: plain(devices.valve_closed),
  rejection_rate: plain(devices.rejection_rate),
  recovery_rate: plain(devices.recovery_rate),
  temperature: plain(devices.temperature),
  pressure: plain(devices.pressure),
  feed_tds: plain(devices.feed_tds),
  permeate_tds: plain(devices.permeate_tds),
  feed: plain(devices.feed),
  permeate: plain(devices.permeate),
  waste: plain(devices.waste),
  flush_smart: plain(devices.flush_smart),
  flush_mode: plain(devices.flush_mode),
  flush_frequency: plain(devices.flush_frequency),
  flush_duration: plain(devices.flush_duration),
  flush_volume: plain(devices.flush_volume),
  idle_protection: plain(devices.idle_protection),
  bypass_smart: plain(devices.bypass_smart),
  bypass_state: plain(devices.bypass_state),
  uv: plain(devices.uv),
  cartridges: {
    value: cartridgeTypes.model_key,
    among: (test): SQL =>
      sql`${devices.bssid} in (select ${deviceCartridges.bssid} from ${deviceCartridges}
        join ${cartridgeTypes} on ${cartridgeTypes.id} = ${deviceCartridges.cartridge_type_id} where ${test})`,
    order: { by: devices.next_replacement_at, nullable: true },
  },
  firmware: plain(devices.firmware_key),
  last_active: plain(devices.last_active),
  description: plain(devices.description_key),
  power_mode: plain(devices.power_mode),
  battery_level: plain(devices.battery_level),
  time_zone: plain(devices.time_zone_key),
  created_at: plain(devices.created_at),
  updated_at: plain(devices.updated_at),
}

export const listedDevices: Listed = {
  table: devices,
  key: devices.bssid,
  definition: deviceColumns,
  columns,
  tally: { table: deviceCounts, count: deviceCounts.count },
}

/** Where the columns of the devices' list are found, and what each sorts by. */
import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { deviceColumns } from '../../../src/api/contract/devices.ts'
import { normaliseBssid } from '../../../src/domain/bssid.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceCartridges, deviceCounts, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes, filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { ListColumn, Listed } from '../list.ts'

const plain = (column: PgColumn): ListColumn => ({ value: column, order: { by: column, nullable: !column.notNull } })

const companyKey = sql`(lower(${accounts.company_name} collate "pg_c_utf8") collate "C")`

const columns: Record<keyof typeof deviceColumns.by, ListColumn> = {
  bssid: { ...plain(devices.bssid), fold: 'upper', normalise: normaliseBssid },
  platform: plain(devices.platform_key),
  model: {
    value: deviceModels.name_key,
    among: test => sql`${devices.model_id} in (select ${deviceModels.id} from ${deviceModels} where ${test})`,
    order: {
      reference: devices.model_id,
      names: { table: deviceModels, id: deviceModels.id, name: deviceModels.name_key },
    },
  },
  filtration_system: {
    value: filtrationSystems.model_key,
    among: test =>
      sql`${devices.filtration_system_id} in (select ${filtrationSystems.id} from ${filtrationSystems} where ${test})`,
    order: {
      reference: devices.filtration_system_id,
      names: { table: filtrationSystems, id: filtrationSystems.id, name: filtrationSystems.model_key },
    },
  },
  company_name: {
    value: companyKey,
    among: test => sql`${devices.vendor_id} in (select ${accounts.id} from ${accounts} where ${test})`,
    order: { reference: devices.vendor_id, names: { table: accounts, id: accounts.id, name: companyKey } },
  },
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

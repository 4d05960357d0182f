/** Columns of the list of devices. */
import { sql, type SQL } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { deviceColumns } from '../../../src/domain/columns/devices.ts'
import { deviceCartridges, deviceCounts, devices } from '../../db/schema/devices.ts'
import { deviceValues } from '../../db/schema/deviceValues.ts'
import { cartridgeTypes, filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { bssidColumn, company, referencedName, sideTableColumns, storedColumns } from '../shared/listColumns.ts'

const columns = storedColumns(devices, deviceColumns, {
  ...sideTableColumns(deviceValues),
  bssid: { ...bssidColumn(devices.bssid), home: 'both' },
  model: referencedName(devices.model_id, deviceModels, deviceModels.id, deviceModels.name_key),
  filtration_system: referencedName(
    devices.filtration_system_id,
    filtrationSystems,
    filtrationSystems.id,
    filtrationSystems.model_key,
  ),
  company_name: { ...company(devices.vendor_id), home: 'both' },
  cartridges: {
    value: cartridgeTypes.model_key,
    inAnyRow: (test): SQL =>
      sql`${devices.bssid} in (select ${deviceCartridges.bssid} from ${deviceCartridges}
        join ${cartridgeTypes} on ${cartridgeTypes.id} = ${deviceCartridges.cartridge_type_id} where ${test})`,
    order: { by: devices.next_replacement_at, nullable: true },
  },
})

export const deviceList: ListDefinition = {
  table: devices,
  key: devices.bssid,
  definition: contract.list.columns!,
  columns,
  sideTable: { table: deviceValues, key: deviceValues.bssid, shared: [deviceValues.vendor_id] },
  tally: { table: deviceCounts, count: deviceCounts.count },
}

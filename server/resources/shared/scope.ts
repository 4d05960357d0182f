/** Whose rows a caller may see: the one place that scopes queries by vendor. `undefined` is no limit. */
import { eq, or, sql, type SQL } from 'drizzle-orm'
import { devices } from '../../db/schema/devices.ts'
import { eventDevices } from '../../db/schema/events.ts'
import { filtrationSystemGroups, filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { notifications } from '../../db/schema/notifications.ts'
import type { Caller } from '../../endpoints/handler.ts'

const vendorsOnly =
  (own: (vendor: string) => SQL | undefined) =>
  ({ role, account }: Caller): SQL | undefined =>
    role === 'vendor' ? own(account) : undefined

/** Devices that the caller may see and command: a vendor's are its own. */
export const ownDevices = vendorsOnly(vendor => eq(devices.vendor_id, vendor))

/** Callers of one scope see the same devices. */
export const scopeOf = ({ role, account }: Caller): string => (role === 'vendor' ? account : 'all')

/** Whether something that concerns these vendors, one of them at least, is the caller's to know of. */
export const concernsCaller = ({ role, account }: Caller, vendors: ReadonlySet<string>): boolean =>
  role === 'vendor' ? vendors.has(account) : vendors.size > 0

/** Notifications of those devices: each says whose its device is. */
export const ownNotifications = vendorsOnly(vendor => eq(notifications.vendor_id, vendor))

/** Of the devices that an event concerns, the caller's: what a vendor has none in does not exist for it. */
export const ownEventDevices = vendorsOnly(
  vendor =>
    sql`exists (select from ${devices} where ${eq(devices.bssid, eventDevices.bssid)} and ${eq(devices.vendor_id, vendor)})`,
)

/** Models that a vendor's devices may be of: its own, and those offered to it. */
export const modelsOf = (vendor: string): SQL | undefined =>
  or(
    eq(deviceModels.owner_id, vendor),
    sql`${deviceModels.id} in (select ${deviceModelVendors.model_id} from ${deviceModelVendors}
      where ${eq(deviceModelVendors.vendor_id, vendor)})`,
  )
export const ownModels = vendorsOnly(modelsOf)
/** Of those to whom models are offered, a vendor sees itself. */
export const ownOffers = vendorsOnly(vendor => eq(deviceModelVendors.vendor_id, vendor))

/** A vendor's filtration systems are those assigned to it. */
export const ownSystems = vendorsOnly(vendor => eq(filtrationSystems.vendor_id, vendor))

/** A vendor's groups are those that its filtration systems are in. */
export const ownGroups = vendorsOnly(
  vendor =>
    sql`${filtrationSystemGroups.id} in (select ${filtrationSystems.group_id} from ${filtrationSystems}
      where ${eq(filtrationSystems.vendor_id, vendor)})`,
)

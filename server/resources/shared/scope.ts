/** Conditions that scope queries to the rows that a caller may see; `undefined` does not limit a query. */
import { eq, or, sql, type SQL } from 'drizzle-orm'
import { devices } from '../../db/schema/devices.ts'
import { eventDevices } from '../../db/schema/events.ts'
import { filtrationSystemGroups, filtrationSystems } from '../../db/schema/filtration.ts'
import { forecastScores } from '../../db/schema/forecasts.ts'
import { healthFindings } from '../../db/schema/health.ts'
import { jobs, jobTasks } from '../../db/schema/jobs.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { incidents, notifications } from '../../db/schema/notifications.ts'
import { supplyChanges, supplyWaters } from '../../db/schema/supplies.ts'
import type { Caller } from '../../endpoints/handler.ts'

/** Whose rows a query or a change reaches: those of one vendor, or all. */
export type Scope = Pick<Caller, 'vendor'>

const vendorsOnly =
  (own: (vendor: string) => SQL | undefined) =>
  ({ vendor }: Scope): SQL | undefined =>
    vendor === null ? undefined : own(vendor)

/** Scopes devices: a vendor may see and command its own. */
export const ownDevices = vendorsOnly(vendor => eq(devices.vendor_id, vendor))

/** Returns whether the caller sees rows that only these vendors and administrators see. */
export const isVisibleTo = ({ vendor }: Scope, vendors: ReadonlySet<string | null>): boolean =>
  vendor === null || vendors.has(vendor)

/** Scopes notifications, by their copy of the device's vendor. */
export const ownNotifications = vendorsOnly(vendor => eq(notifications.vendor_id, vendor))

/** Scopes incidents, each of devices of one vendor. */
export const ownIncidents = vendorsOnly(vendor => eq(incidents.vendor_id, vendor))

/** Scopes findings, by their copy of the device's vendor. */
export const ownFindings = vendorsOnly(vendor => eq(healthFindings.vendor_id, vendor))

/** Scopes scores of forecasts: a vendor sees how those of its own devices turned out. */
export const ownScores = vendorsOnly(vendor => eq(forecastScores.vendor_id, vendor))

/** Scopes changes of supplies, each of one vendor. */
export const ownSupplyChanges = vendorsOnly(vendor => eq(supplyChanges.vendor_id, vendor))

/** Scopes analyses of supplies' water: a supply belongs to one vendor. */
export const ownSupplyWaters = vendorsOnly(vendor => eq(supplyWaters.vendor_id, vendor))

/** Scopes the devices of events; an event without own devices does not exist for a vendor. */
export const ownEventDevices = vendorsOnly(
  vendor =>
    sql`exists (select from ${devices} where ${eq(devices.bssid, eventDevices.bssid)} and ${eq(devices.vendor_id, vendor)})`,
)

/** Returns the condition for the models that a vendor can use: its own and those offered to it. */
export const modelsOf = (vendor: string): SQL | undefined =>
  or(
    eq(deviceModels.owner_id, vendor),
    sql`${deviceModels.id} in (select ${deviceModelVendors.model_id} from ${deviceModelVendors}
      where ${eq(deviceModelVendors.vendor_id, vendor)})`,
  )
export const ownModels = vendorsOnly(modelsOf)
/** Scopes offers of models: a vendor sees only those to itself. */
export const ownOffers = vendorsOnly(vendor => eq(deviceModelVendors.vendor_id, vendor))

/** Scopes jobs: a vendor sees those that it has created. */
export const ownJobs = vendorsOnly(vendor => eq(jobs.vendor_id, vendor))

/** Scopes tasks of devices: a vendor sees the tasks of its own jobs, and those that administrators' jobs gave its devices. */
export const ownTasks = vendorsOnly(vendor => or(eq(jobs.vendor_id, vendor), eq(jobTasks.device_vendor_id, vendor)))

/** Scopes filtration systems: a vendor sees those assigned to it. */
export const ownSystems = vendorsOnly(vendor => eq(filtrationSystems.vendor_id, vendor))

/** Scopes groups: a vendor sees those of its filtration systems. */
export const ownGroups = vendorsOnly(
  vendor =>
    sql`${filtrationSystemGroups.id} in (select ${filtrationSystems.group_id} from ${filtrationSystems}
      where ${eq(filtrationSystems.vendor_id, vendor)})`,
)

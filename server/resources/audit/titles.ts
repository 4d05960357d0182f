/** What the calls in the audit log did, in words. */
import { admins, users, vendors } from '../../../src/api/contract/accounts.ts'
import { actionOf } from '../../../src/api/contract/audit.ts'
import { auth } from '../../../src/api/contract/auth.ts'
import { devices } from '../../../src/api/contract/devices.ts'
import type { Endpoint } from '../../../src/api/contract/endpoint.ts'
import { events } from '../../../src/api/contract/events.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from '../../../src/api/contract/filtration.ts'
import { models } from '../../../src/api/contract/models.ts'
import { settingEndpoints } from '../../../src/api/contract/settings.ts'

const titles: readonly (readonly [Endpoint, title: string])[] = [
  [auth.login, 'Signed in'],
  [auth.logout, 'Signed out'],
  [auth.forgotPassword, 'Requested password recovery'],
  [auth.restorePassword, 'Restored password'],
  [auth.confirmEmail, 'Confirmed email address'],
  [admins.create, 'Created administrator'],
  [admins.delete, 'Deleted administrators'],
  [admins.changePassword, 'Changed password of administrator'],
  [admins.changeStatus, 'Blocked or unblocked accounts'],
  [admins.changeStatusOfMany, 'Blocked or unblocked accounts'],
  [admins.editProfile, 'Changed own profile'],
  [admins.changeOwnPassword, 'Changed own password'],
  [vendors.create, 'Created vendor'],
  [vendors.edit, 'Changed vendor'],
  [vendors.delete, 'Deleted vendors'],
  [vendors.changePassword, 'Changed password of vendor'],
  [vendors.changeStatus, 'Blocked or unblocked accounts'],
  [vendors.changeStatusOfMany, 'Blocked or unblocked accounts'],
  [vendors.editProfile, 'Changed own profile'],
  [vendors.changeOwnPassword, 'Changed own password'],
  [users.changeStatus, 'Blocked or unblocked accounts'],
  [users.changeStatusOfMany, 'Blocked or unblocked accounts'],
  [users.delete, 'Deleted users'],
  [users.deleteMany, 'Deleted users'],
  [cartridgeTypes.upload, 'Created cartridge types'],
  [cartridgeTypes.edit, 'Changed cartridge type'],
  [models.save, 'Saved device model'],
  [models.delete, 'Deleted device models'],
  [devices.upload, 'Created devices'],
  [devices.edit, 'Changed device'],
  [devices.share, 'Shared device'],
  [devices.updateFirmware, 'Updated firmware'],
  [devices.updateFirmwareOfMany, 'Updated firmware'],
  [devices.setModel, 'Changed model of devices'],
  [devices.setFiltrationSystem, 'Changed filtration system of devices'],
  [devices.setTimeZone, 'Changed time zone of devices'],
  [devices.setValve, 'Opened or closed valves'],
  [devices.flush, 'Flushed devices'],
  [devices.lock, 'Locked or unlocked devices'],
  [devices.reset, 'Reset devices'],
  [devices.reboot, 'Rebooted devices'],
  [devices.delete, 'Deleted devices'],
  [settingEndpoints.set_flush, 'Changed auto-flush'],
  [settingEndpoints.set_idle_protection, 'Changed idle protection'],
  [settingEndpoints.set_bypass, 'Changed bypass'],
  [settingEndpoints.set_uv, 'Changed UV module'],
  [events.create, 'Created event'],
  [events.delete, 'Deleted event'],
  [filtrationSystemGroups.upload, 'Created groups'],
  [filtrationSystemGroups.edit, 'Renamed group'],
  [filtrationSystems.upload, 'Created filtration systems'],
  [filtrationSystems.assignVendor, 'Assigned filtration systems'],
  [filtrationSystems.edit, 'Changed filtration system'],
  [filtrationSystems.delete, 'Deleted filtration systems'],
]

/** The title of each action; actions of earlier versions have none. */
export const auditTitles: ReadonlyMap<string, string> = new Map(
  titles.map(([endpoint, title]) => [actionOf(endpoint), title]),
)

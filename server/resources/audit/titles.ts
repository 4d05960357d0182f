/** What the calls in the audit log did, in words. */
import { admins, users, vendors } from '../../../src/api/contract/accounts.ts'
import { apiKeys } from '../../../src/api/contract/apiKeys.ts'
import { actionOf, type SignInFactor } from '../../../src/api/contract/audit.ts'
import { auth } from '../../../src/api/contract/auth.ts'
import { devices } from '../../../src/api/contract/devices.ts'
import type { Endpoint } from '../../../src/api/contract/endpoint.ts'
import { events } from '../../../src/api/contract/events.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from '../../../src/api/contract/filtration.ts'
import { health } from '../../../src/api/contract/health/endpoints.ts'
import { jobEndAction, jobs } from '../../../src/api/contract/jobs.ts'
import { models } from '../../../src/api/contract/models.ts'
import { ownSessions } from '../../../src/api/contract/ownSessions.ts'
import { passkeys } from '../../../src/api/contract/passkeys.ts'
import { secondFactor } from '../../../src/api/contract/secondFactor.ts'
import { allSettings, settingEndpoints } from '../../../src/api/contract/settings.ts'
import { lowerFirst } from '../../../src/domain/lib/lowerFirst.ts'
import { commandActions } from '../../audit/commands.ts'

const titles: readonly (readonly [Endpoint, title: string])[] = [
  [auth.login, 'Signed in'],
  [auth.enterCode, 'Signed in with code'],
  [auth.usePasskey, 'Signed in with passkey'],
  [auth.logout, 'Signed out'],
  [ownSessions.end, 'Ended session'],
  [ownSessions.endOthers, 'Ended other sessions'],
  [secondFactor.start, 'Started setting up second factor'],
  [secondFactor.confirm, 'Turned on second factor'],
  [secondFactor.startReplacement, 'Started replacing authenticator'],
  [secondFactor.confirmReplacement, 'Replaced authenticator'],
  [secondFactor.renewCodes, 'Renewed recovery codes'],
  [secondFactor.disable, 'Turned off second factor'],
  [passkeys.start, 'Started adding passkey'],
  [passkeys.add, 'Added passkey'],
  [passkeys.remove, 'Removed passkey'],
  [apiKeys.create, 'Created API key'],
  [apiKeys.revoke, 'Revoked API key'],
  [secondFactor.resetAdmin, 'Reset second factor of administrator'],
  [secondFactor.resetVendor, 'Reset second factor of vendor'],
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
  [devices.setWaterSupply, 'Changed water supply of devices'],
  [devices.setValve, 'Opened or closed valves'],
  [devices.flush, 'Flushed devices'],
  [devices.lock, 'Locked or unlocked devices'],
  [devices.reset, 'Reset devices'],
  [devices.reboot, 'Rebooted devices'],
  [devices.delete, 'Deleted devices'],
  ...allSettings.map(([name, { title }]) => [settingEndpoints[`set_${name}`], `Changed ${lowerFirst(title)}`] as const),
  [health.shelve, 'Shelved or unshelved findings'],
  [health.verdict, 'Judged findings or took verdicts back'],
  [health.setWater, 'Changed water analysis of supplies'],
  [health.resetBaseline, 'Reset baseline of devices'],
  [health.restoreBaseline, 'Restored baseline of devices'],
  [events.create, 'Created event'],
  [events.delete, 'Deleted event'],
  [jobs.create, 'Created job'],
  [jobs.pause, 'Paused job'],
  [jobs.resume, 'Resumed job'],
  [jobs.cancel, 'Cancelled job'],
  [jobs.cancelTask, 'Cancelled task of device'],
  [jobs.reschedule, 'Rescheduled job'],
  [jobs.retry, 'Retried job'],
  [jobs.undo, 'Undid job'],
  [filtrationSystemGroups.upload, 'Created groups'],
  [filtrationSystemGroups.edit, 'Renamed group'],
  [filtrationSystems.upload, 'Created filtration systems'],
  [filtrationSystems.assignVendor, 'Assigned filtration systems'],
  [filtrationSystems.edit, 'Changed filtration system'],
  [filtrationSystems.delete, 'Deleted filtration systems'],
]

/** The titles of sign-ins, by the factor that was proved. */
const signIns: readonly (readonly [Endpoint, SignInFactor, title: string])[] = [
  [auth.login, 'password', 'Signed in with password'],
  [auth.login, 'pending', 'Entered password before second factor'],
  [auth.enterCode, 'authenticator', 'Signed in with authenticator code'],
  [auth.enterCode, 'recovery code', 'Signed in with recovery code'],
]

/** The title of each action, and of sign-ins by action and factor; actions of earlier versions have none. */
export const auditTitles: ReadonlyMap<string, string> = new Map([
  ...titles.map(([endpoint, title]) => [actionOf(endpoint), title] as const),
  [jobEndAction, 'Job ended'] as const,
  [commandActions.resetSecondFactor, 'Reset second factor on the server'] as const,
  [commandActions.createCredentials, 'Created device secrets on the server'] as const,
  [commandActions.restore, 'Restored backup'] as const,
  [commandActions.createSuperadmin, 'Created superadmin at start'] as const,
  ...signIns.map(([endpoint, factor, title]) => [`${actionOf(endpoint)} ${factor}`, title] as const),
])

/** Returns the title of an entry, or its action if it has none. */
export const titleOf = (action: string, { factor }: Readonly<Record<string, unknown>>): string =>
  auditTitles.get(`${action} ${String(factor)}`) ?? auditTitles.get(action) ?? action

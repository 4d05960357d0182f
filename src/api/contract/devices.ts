import * as z from 'zod/mini'
import { deviceColumns } from '../../domain/columns/devices.ts'
import { healthStates } from '../../domain/columns/health.ts'
import { statusCodes } from '../../domain/device.ts'
import { causeNames } from '../../domain/health/texts/causeNames.ts'
import { partNames } from '../../domain/health/texts/partNames.ts'
import type { Cause, ScorePart } from '../../domain/health/types/assessment.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { devicePath } from '../../domain/lists/query.ts'
import { bulkEndpoint, Done, endpoint, integerParam, listEndpoint, Uploaded, UploadQuery } from './endpoint.ts'
import {
  ByBssidPath,
  BssidInput,
  changesOf,
  Id,
  withMeta,
  ManyDevices,
  bulkDeviceBody,
  optionalText,
  text,
  Time,
  TimeInput,
  TimeZone,
  WaterSupply,
  VendorName,
} from './fields.ts'
import { SentCommand } from './sentCommands.ts'
import { settingStates } from './settingStates.ts'
import { ManyStatistics, ranges, Statistics, StatisticsQuery } from './statistics.ts'

export const Cartridge = z.object({
  _id: Id,
  model: z.string(),
  /** 0 pre-filter, 1 post-filter, 2 membrane. */
  type: z.number(),
  /** The capacity in litres. */
  resource: z.number(),
  /** The time to live in days. */
  ttl: z.number(),
  installed_at: Time,
  replace_at: Time,
  /** Litres filtered since it was installed. */
  total: z.number(),
})
export type Cartridge = z.output<typeof Cartridge>

/** What the readings show about a device (docs/health.md). */
const Health = z.object({
  /** 0–100; null while it learns. */
  score: z.nullable(z.number()),
  /** Whether a part of the score is not measured: a sensor is reported as defective, or there was no data for 30 days of use. */
  unsure: z.boolean(),
  state: z.enum(healthStates),
  /** The likeliest cause of its most serious finding, with its probability in % and when it began. */
  cause: z.nullable(z.enum(Object.keys(causeNames) as Cause[])),
  confidence: z.nullable(z.number()),
  since: z.nullable(Time),
  /** What the score is low for; null while it learns. */
  worst: z.nullable(z.enum(Object.keys(partNames) as ScorePart[])),
  /** When the first cartridge is due, with an interval of 80 %. */
  due_at: z.nullable(Time),
  due_early: z.nullable(Time),
  due_late: z.nullable(Time),
})

/** A measured value; null if the sensor has not reported one. */
const reading = z.nullable(z.number())
export const Device = z.object({
  bssid: z.string(),
  platform: z.string(),
  model: z.object({ _id: Id, name: z.string() }),
  filtration_system: z.nullable(z.object({ _id: Id, model: z.string() })),
  vendor: VendorName,
  status: z.literal(statusCodes),
  locked: z.boolean(),
  valve_closed: z.boolean(),
  /** % */
  rejection_rate: reading,
  /** % */
  recovery_rate: reading,
  /** °C */
  temperature: reading,
  /** bar */
  pressure: reading,
  /** ppm */
  feed_tds: reading,
  /** ppm */
  permeate_tds: reading,
  /** Lifetime litres. */
  feed: z.number(),
  permeate: z.number(),
  waste: z.number(),
  ...settingStates,
  cartridges: z.array(Cartridge),
  firmware: z.string(),
  last_active: z.nullable(Time),
  description: z.string(),
  power_mode: z.literal([0, 1, 2]),
  /** %; null without batteries. */
  battery_level: reading,
  /** The zone of its location, an IANA name; null if it has not been set. */
  time_zone: z.nullable(z.string()),
  /** The label of its water supply; null if it has none. */
  water_supply: z.nullable(z.string()),
  health: Health,
  created_at: Time,
  updated_at: Time,
})
export type Device = z.output<typeof Device>

export const DeviceDetail = z.extend(Device, {
  /** The versions that can be installed, newest first. */
  firmware_versions: z.array(z.string()),
  /** The time of the newest reading; `last_active` is that of the last message of any kind. */
  reading_at: z.nullable(Time),
  statistics: Statistics,
})
export type DeviceDetail = z.output<typeof DeviceDetail>

/** A device's secret for the broker. It is returned only once; the server stores its hash. */
export const Credential = z.object({ bssid: z.string(), secret: z.string() })
export type Credential = z.output<typeof Credential>

/** The fields that can be edited on one device. */
export const DeviceEdit = z.object({
  description: withMeta(optionalText(500), { label: 'Description', as: 'multiline' }),
  /** Closed is true, open is false. */
  valve_closed: withMeta(z.boolean(), { label: 'Valve', names: ['Open', 'Closed'] }),
})
export const resetScopes = ['settings', 'factory'] as const
const Version = text(60)

export const devices = {
  upload: endpoint({
    method: 'POST',
    path: '/api/v3/devices/file',
    roles: deviceRoles,
    summary: 'Create devices from a .csv or .xlsx file: all rows or none.',
    query: UploadQuery,
    upload: true,
    response: z.extend(Uploaded, { credentials: z.array(Credential) }),
  }),
  list: listEndpoint({
    ...listDefinitions.devices.endpoint,
    roles: deviceRoles,
    summary: 'Devices. A vendor sees only its own.',
    row: Device,
    columns: deviceColumns,
  }),
  statistics: endpoint({
    method: 'GET',
    path: '/api/v3/devices/statistics',
    roles: deviceRoles,
    summary: 'Statistics of several devices, by the same query. Devices that do not exist are left out.',
    query: StatisticsQuery,
    response: ManyStatistics,
  }),
  detail: endpoint({
    method: 'GET',
    path: devicePath,
    roles: deviceRoles,
    summary: 'One device with its statistics, in buckets aligned to the days of the zone.',
    params: ByBssidPath,
    query: z.object({
      range: z._default(z.enum(ranges), 'day'),
      until: z.optional(TimeInput),
      zone: z._default(TimeZone, 'UTC'),
    }),
    response: DeviceDetail,
  }),
  edit: endpoint({
    method: 'PUT',
    path: '/api/v3/devices/{bssid}',
    roles: deviceRoles,
    summary: 'Change a device’s description or its valve.',
    params: ByBssidPath,
    body: changesOf(DeviceEdit.shape),
    response: Device,
  }),
  commands: endpoint({
    method: 'GET',
    path: '/api/v3/devices/{bssid}/commands',
    roles: deviceRoles,
    summary: 'Commands recently sent to the device with their outcomes, newest first.',
    params: ByBssidPath,
    query: z.object({ limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20) }),
    response: z.array(SentCommand),
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/v3/devices/{bssid}/share',
    roles: deviceRoles,
    summary: 'Create a single-use code, valid for 10 minutes, that shares the device. It replaces an earlier code.',
    params: ByBssidPath,
    response: z.object({ code: z.string(), expires_at: Time }),
  }),
  firmwareVersions: endpoint({
    method: 'GET',
    path: '/api/v3/devices/firmware',
    roles: deviceRoles,
    summary: 'Firmware versions for the platforms of existing devices, newest first.',
    response: z.array(z.object({ platform: z.string(), versions: z.array(z.string()) })),
  }),
  waterSupplies: endpoint({
    method: 'GET',
    path: '/api/v3/devices/water-supplies',
    roles: deviceRoles,
    summary: 'Labels of water supplies in use that contain a text, in alphabetical order.',
    query: z.object({ search: z._default(optionalText(100), ''), limit: z._default(integerParam(1, 100), 20) }),
    response: z.array(z.string()),
  }),
  updateFirmwareOfMany: bulkEndpoint({
    method: 'POST',
    path: '/api/v3/devices/firmware/update',
    roles: deviceRoles,
    summary: 'Update the firmware of many devices.',
    body: bulkDeviceBody({ version: Version }),
  }),
  updateFirmware: endpoint({
    method: 'POST',
    path: '/api/v3/devices/{id}/firmware/update',
    roles: deviceRoles,
    summary: 'Update the firmware of one device.',
    params: z.object({ id: BssidInput }),
    body: z.strictObject({ version: Version }),
    response: Done,
  }),
  setModel: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/model',
    roles: deviceRoles,
    summary: 'Change the model of devices.',
    body: bulkDeviceBody({ model: Id }),
  }),
  setFiltrationSystem: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/filtration-system',
    roles: deviceRoles,
    summary: 'Change the filtration system of devices of one vendor, or remove it from devices of any vendor.',
    body: bulkDeviceBody({ filtration_system: z.nullable(Id) }),
  }),
  setTimeZone: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/time-zone',
    roles: deviceRoles,
    summary: 'Set the time zone of devices: an IANA name, or null for none. Nothing is sent to the devices.',
    body: bulkDeviceBody({ time_zone: z.nullable(TimeZone) }),
  }),
  setWaterSupply: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/water-supply',
    roles: deviceRoles,
    summary: 'Set the label of the water supply of devices, or null for none. Nothing is sent to the devices.',
    body: bulkDeviceBody({ water_supply: z.nullable(WaterSupply) }),
  }),
  setValve: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/valve',
    roles: deviceRoles,
    summary: 'Close or open the valves of many devices.',
    body: bulkDeviceBody({ valve_closed: z.boolean() }),
  }),
  flush: bulkEndpoint({
    method: 'POST',
    path: '/api/v3/devices/flush',
    roles: deviceRoles,
    summary: 'Flush devices now.',
    body: ManyDevices,
  }),
  lock: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/lock',
    roles: deviceRoles,
    summary: 'Set or release the vendor lock (locked true or false).',
    body: bulkDeviceBody({ locked: z.boolean() }),
  }),
  reset: bulkEndpoint({
    method: 'POST',
    path: '/api/v3/devices/reset',
    roles: deviceRoles,
    summary: 'Reset the settings, or reset to the factory state.',
    body: bulkDeviceBody({ scope: z.enum(resetScopes) }),
  }),
  reboot: bulkEndpoint({
    method: 'POST',
    path: '/api/v3/devices/reboot',
    roles: deviceRoles,
    summary: 'Reboot devices.',
    body: ManyDevices,
  }),
  delete: bulkEndpoint({
    method: 'DELETE',
    path: '/api/v3/devices',
    roles: deviceRoles,
    summary: 'Delete devices and all their data.',
    body: ManyDevices,
  }),
}

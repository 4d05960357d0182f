/** The names of the types of notifications; see definitions.ts for the rest. */

/** Faults that a device reports by its status or in its list of faults. */
export const faults = [
  'leak',
  'pump_failure',
  'pressure_sensor',
  'inlet_flow_sensor',
  'outlet_flow_sensor',
  'inlet_temperature_sensor',
  'outlet_temperature_sensor',
  'inlet_tds_sensor',
  'outlet_tds_sensor',
  'no_feed_water',
] as const
export type Fault = (typeof faults)[number]

/** In the order of the specification's section 8. */
export const notificationTypes = [
  'cartridge_replaced',
  'cartridge_expiring',
  'cartridge_expired',
  'filtration_system_changed',
  'firmware_updated',
  'firmware_available',
  'battery_low',
  'battery_empty',
  'device_offline',
  ...faults,
  'temperature_high',
  'temperature_low',
  'pressure_high',
  'pressure_low',
  'feed_tds_high',
] as const
export type NotificationType = (typeof notificationTypes)[number]

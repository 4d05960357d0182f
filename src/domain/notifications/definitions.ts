/** The types of notifications: text, threshold, and the action that a technician usually takes first. */
import type { StatusCode, Tone } from '../device.ts'
import type { Quantity } from '../units.ts'
import { faults, type Fault, type NotificationType } from './types.ts'

/** The groups of types in the filter, in its order. */
export const notificationGroupTitles = ['Filters', 'Firmware', 'Power and network', 'Failures', 'Feed water'] as const

export type NotificationValues = Readonly<Record<string, string | number>>
interface NotificationLike {
  readonly device: { readonly bssid: string }
  readonly created_at: string
  readonly values: NotificationValues
}

/** The threshold of a condition: an upper limit if `from` is above `until`, otherwise a lower limit. */
export interface Threshold {
  readonly measure: 'temperature' | 'pressure' | 'feed_tds' | 'battery_level'
  /** The condition begins at this value or beyond. */
  readonly from: number
  /** It ends at this value. Between the two nothing changes, so that a fluctuating value creates no notifications. */
  readonly until: number
  /** The fault of the sensor that measures the value; while it lasts, the value is ignored. */
  readonly sensor?: Fault
  /** The value is ignored while no permeate flows. */
  readonly producing?: true
}

export interface NotificationDefinition {
  readonly text: string
  /** The text without advice and remarks, for incidents. */
  readonly short?: string
  readonly tone: Tone
  readonly group: (typeof notificationGroupTitles)[number]
  /** The value shown with the text, and its quantity or format. */
  readonly value?: readonly [name: string, of: Quantity | 'percent' | 'text']
  readonly threshold?: Threshold
  /** The status of a device with this fault. */
  readonly status?: StatusCode
  /** The suggested command on the notification's device. It prompts for arguments that `input` does not return. */
  readonly action: {
    readonly title: string
    readonly icon: string
    readonly command: string
    readonly input?: (notification: NotificationLike) => Readonly<Record<string, unknown>>
  }
}

/** Shows the cartridge, its filtered litres, and the remaining life of the others. */
const seeFilters = {
  title: 'Show filters',
  icon: 'cartridge',
  command: 'device.part',
  input: () => ({ part: 'filters' }),
} as const
const seePower = {
  title: 'Show power',
  icon: 'power',
  command: 'device.part',
  input: () => ({ part: 'power' }),
} as const
/** The readings before and after the notification help to distinguish a water problem from a sensor fault. */
const seeChart = {
  title: 'Show chart',
  icon: 'chart',
  command: 'charts.show',
  input: ({ device, created_at }: NotificationLike) => ({ device: device.bssid, at: created_at }),
} as const

export const notificationDefinitions = {
  cartridge_replaced: {
    text: 'Cartridge replaced',
    tone: 'ok',
    group: 'Filters',
    value: ['cartridge', 'text'],
    action: seeFilters,
  },
  cartridge_expiring: {
    text: 'Cartridge needs replacing soon',
    tone: 'warn',
    group: 'Filters',
    value: ['cartridge', 'text'],
    action: seeFilters,
  },
  cartridge_expired: {
    text: 'Cartridge expired, replace now',
    short: 'Cartridge expired',
    tone: 'bad',
    group: 'Filters',
    value: ['cartridge', 'text'],
    action: seeFilters,
  },
  filtration_system_changed: {
    text: 'Filtration system model changed',
    tone: 'ok',
    group: 'Filters',
    value: ['filtration_system', 'text'],
    action: seeFilters,
  },
  firmware_updated: {
    text: 'Firmware updated successfully',
    tone: 'ok',
    group: 'Firmware',
    value: ['version', 'text'],
    action: {
      title: 'Show firmware',
      icon: 'firmware',
      command: 'device.part',
      input: () => ({ part: 'firmware' }),
    },
  },
  firmware_available: {
    text: 'Firmware update available',
    tone: 'busy',
    group: 'Firmware',
    value: ['version', 'text'],
    action: {
      title: 'Update firmware',
      icon: 'firmware',
      command: 'device.updateFirmware',
      input: ({ values }) => ({ version: values['version'] }),
    },
  },
  battery_low: {
    text: 'Low battery, prepare spare batteries',
    short: 'Low battery',
    tone: 'warn',
    group: 'Power and network',
    value: ['battery_level', 'percent'],
    threshold: { measure: 'battery_level', from: 20, until: 25 },
    action: seePower,
  },
  battery_empty: {
    text: 'Battery discharged, replace now',
    short: 'Battery discharged',
    tone: 'bad',
    group: 'Power and network',
    value: ['battery_level', 'percent'],
    threshold: { measure: 'battery_level', from: 5, until: 10 },
    action: seePower,
  },
  device_offline: {
    text: 'Device offline, check device and internet',
    short: 'Offline',
    tone: 'mute',
    group: 'Power and network',
    // The device screen shows when it was last active, and the commands sent since then.
    action: { title: 'Show device', icon: 'device', command: 'device.open' },
  },
  leak: {
    text: 'Leak detected',
    tone: 'bad',
    group: 'Failures',
    status: 4,
    action: {
      title: 'Close the valve',
      icon: 'valve',
      command: 'device.valve',
      input: () => ({ valve_closed: true }),
    },
  },
  pump_failure: {
    text: 'Pump failure',
    tone: 'bad',
    group: 'Failures',
    status: 10,
    // A pump that was switched off by its protection restarts with the device.
    action: { title: 'Reboot', icon: 'power', command: 'device.reboot' },
  },
  pressure_sensor: {
    text: 'Pressure sensor defective',
    tone: 'bad',
    group: 'Failures',
    status: 13,
    action: seeChart,
  },
  inlet_flow_sensor: {
    text: 'Inlet water flow sensor defective',
    tone: 'bad',
    group: 'Failures',
    status: 11,
    action: seeChart,
  },
  outlet_flow_sensor: {
    text: 'Outlet water flow sensor defective',
    tone: 'bad',
    group: 'Failures',
    status: 12,
    action: seeChart,
  },
  inlet_temperature_sensor: {
    text: 'Inlet temperature sensor defective',
    tone: 'bad',
    group: 'Failures',
    status: 14,
    action: seeChart,
  },
  outlet_temperature_sensor: {
    text: 'Outlet temperature sensor defective',
    tone: 'bad',
    group: 'Failures',
    status: 15,
    action: seeChart,
  },
  inlet_tds_sensor: {
    text: 'Inlet TDS sensor defective',
    tone: 'bad',
    group: 'Failures',
    status: 16,
    action: seeChart,
  },
  outlet_tds_sensor: {
    text: 'Outlet TDS sensor defective',
    tone: 'bad',
    group: 'Failures',
    value: ['permeate_tds', 'concentration'],
    status: 17,
    action: seeChart,
  },
  no_feed_water: {
    text: 'No feed water',
    tone: 'bad',
    group: 'Feed water',
    status: 18,
    action: seeChart,
  },
  temperature_high: {
    text: 'Water temperature too high (the filter can be damaged)',
    short: 'Water temperature too high',
    tone: 'bad',
    group: 'Feed water',
    value: ['temperature', 'temperature'],
    threshold: { measure: 'temperature', from: 38, until: 36, sensor: 'inlet_temperature_sensor' },
    action: seeChart,
  },
  temperature_low: {
    text: 'Water temperature too low (the filter can be damaged)',
    short: 'Water temperature too low',
    tone: 'warn',
    group: 'Feed water',
    value: ['temperature', 'temperature'],
    // Checked without flow too, because standing water freezes.
    threshold: { measure: 'temperature', from: 4, until: 6, sensor: 'inlet_temperature_sensor' },
    // Idle protection moves the water, which prevents freezing.
    action: { title: 'Idle protection', icon: 'timer', command: 'device.idleProtection' },
  },
  pressure_high: {
    text: 'Pressure too high (the filter can be damaged)',
    short: 'Pressure too high',
    tone: 'bad',
    group: 'Feed water',
    value: ['pressure', 'pressure'],
    // Checked without flow too, because the pressure is highest then and housings may crack.
    threshold: { measure: 'pressure', from: 8, until: 7.7, sensor: 'pressure_sensor' },
    action: seeChart,
  },
  pressure_low: {
    text: 'Pressure too low',
    tone: 'warn',
    group: 'Feed water',
    value: ['pressure', 'pressure'],
    // Only while producing: at rest the shut-off valve blocks the pressure, and in a flush the open drain releases it.
    threshold: { measure: 'pressure', from: 2, until: 2.3, sensor: 'pressure_sensor', producing: true },
    action: seeChart,
  },
  feed_tds_high: {
    text: 'Feed water salinity too high (membrane service life may decrease)',
    short: 'Feed water salinity too high',
    tone: 'warn',
    group: 'Feed water',
    value: ['feed_tds', 'concentration'],
    threshold: { measure: 'feed_tds', from: 1500, until: 1350, sensor: 'inlet_tds_sensor' },
    // A flush removes the salt that has accumulated at the membrane.
    action: { title: 'Flush', icon: 'flush', command: 'device.flush' },
  },
} as const satisfies Readonly<Record<NotificationType, NotificationDefinition>>

/** The fault of each status. Status 5, Error, has no specific fault. */
export const faultOfStatus: Readonly<Partial<Record<StatusCode, Fault>>> = Object.fromEntries(
  faults.flatMap(type => {
    const { status }: NotificationDefinition = notificationDefinitions[type]
    return status === undefined ? [] : [[status, type]]
  }),
)

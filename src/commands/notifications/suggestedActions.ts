/** What a technician does first about a notification, by its type. Loaded with the screens that offer it. */
import type { Notification, NotificationType } from '../../api/contract/notifications.ts'
import type { CommandId, InputOf } from '../core/commandId.ts'
import type { IconName } from '../core/iconName.ts'

interface Suggested<Id extends CommandId> {
  readonly title: string
  readonly icon: IconName
  /** The command that does it, to the notification's device. */
  readonly command: Id
  /** What it is given; where it takes more, it asks. A notification's values are checked when it runs. */
  readonly input?: (of: Notification) => { readonly [Name in keyof InputOf<Id>]?: unknown }
}
export type SuggestedAction = { [Id in CommandId]: Suggested<Id> }[CommandId]

/** Which cartridge, what it has filtered, and until when the others last. */
const filters: SuggestedAction = {
  title: 'See its filters',
  icon: 'cartridge',
  command: 'device.part',
  input: () => ({ part: 'filters' }),
}
const power: SuggestedAction = {
  title: 'See its power',
  icon: 'power',
  command: 'device.part',
  input: () => ({ part: 'power' }),
}
/** What the sensors said before and after tells a fault of the water from one of the sensor. */
const chart: SuggestedAction = {
  title: 'See the chart',
  icon: 'chart',
  command: 'charts.show',
  input: ({ device, created_at }) => ({ device: device.bssid, at: created_at }),
}

export const suggestedActions: Readonly<Record<NotificationType, SuggestedAction>> = {
  cartridge_replaced: filters,
  cartridge_expiring: filters,
  cartridge_expired: filters,
  filtration_system_changed: filters,
  firmware_updated: {
    title: 'See its firmware',
    icon: 'firmware',
    command: 'device.part',
    input: () => ({ part: 'firmware' }),
  },
  firmware_available: {
    title: 'Update firmware',
    icon: 'firmware',
    command: 'device.updateFirmware',
    input: ({ values }) => ({ version: values.version }),
  },
  battery_low: power,
  battery_empty: power,
  // When it was heard from last, and what it was told since.
  device_offline: { title: 'See the device', icon: 'device', command: 'device.open' },
  leak: { title: 'Close the valve', icon: 'valve', command: 'device.valve', input: () => ({ valve_closed: true }) },
  // A pump that was switched off by its guard starts again with the device.
  pump_failure: { title: 'Reboot', icon: 'power', command: 'device.reboot' },
  pressure_sensor: chart,
  inlet_flow_sensor: chart,
  outlet_flow_sensor: chart,
  inlet_temperature_sensor: chart,
  outlet_temperature_sensor: chart,
  inlet_tds_sensor: chart,
  outlet_tds_sensor: chart,
  no_feed_water: chart,
  temperature_high: chart,
  // Standing water freezes first: idle protection moves it.
  temperature_low: { title: 'Idle protection', icon: 'timer', command: 'device.idleProtection' },
  pressure_high: chart,
  pressure_low: chart,
  // What has concentrated at the membrane goes down the drain.
  feed_tds_high: { title: 'Flush', icon: 'flush', command: 'device.flush' },
}

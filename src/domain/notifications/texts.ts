/** What notifications say (specification, section 8), and the value that each was made of. */
import type { Tone } from '../device.ts'
import { amount, toFixed } from '../format.ts'
import { unitOf, type Quantity, type UnitChoice } from '../units.ts'

type Values = Readonly<Record<string, string | number>>

interface Text {
  readonly text: string
  readonly tone: Tone
  /** The value that belongs to it, and the quantity it is measured in where it has one. */
  readonly value?: readonly [name: string, of: Quantity | 'percent' | 'text']
}

/** By type, in the order of the specification. */
export const notificationTexts = {
  cartridge_replaced: { text: 'Cartridge replaced', tone: 'ok', value: ['cartridge', 'text'] },
  cartridge_expiring: { text: 'Cartridge needs replacing soon', tone: 'warn', value: ['cartridge', 'text'] },
  cartridge_expired: { text: 'Cartridge expired, replace now', tone: 'bad', value: ['cartridge', 'text'] },
  filtration_system_changed: {
    text: 'Filtration system model changed',
    tone: 'ok',
    value: ['filtration_system', 'text'],
  },
  firmware_updated: { text: 'Firmware updated successfully', tone: 'ok', value: ['version', 'text'] },
  firmware_available: { text: 'Firmware update available', tone: 'busy', value: ['version', 'text'] },
  battery_low: { text: 'Low battery, prepare spare batteries', tone: 'warn', value: ['battery_level', 'percent'] },
  battery_empty: { text: 'Battery discharged, replace now', tone: 'bad', value: ['battery_level', 'percent'] },
  device_offline: { text: 'Device offline, check device and internet', tone: 'mute' },
  leak: { text: 'Leak detected', tone: 'bad' },
  pump_failure: { text: 'Pump failure', tone: 'bad' },
  pressure_sensor: { text: 'Pressure sensor defective', tone: 'bad' },
  inlet_flow_sensor: { text: 'Inlet water flow sensor defective', tone: 'bad' },
  outlet_flow_sensor: { text: 'Outlet water flow sensor defective', tone: 'bad' },
  inlet_temperature_sensor: { text: 'Inlet temperature sensor defective', tone: 'bad' },
  outlet_temperature_sensor: { text: 'Outlet temperature sensor defective', tone: 'bad' },
  inlet_tds_sensor: { text: 'Inlet TDS sensor defective', tone: 'bad' },
  outlet_tds_sensor: { text: 'Outlet TDS sensor defective', tone: 'bad', value: ['permeate_tds', 'concentration'] },
  no_feed_water: { text: 'No feed water', tone: 'bad' },
  temperature_high: {
    text: 'Water temperature too high (the filter can be damaged)',
    tone: 'bad',
    value: ['temperature', 'temperature'],
  },
  temperature_low: {
    text: 'Water temperature too low (the filter can be damaged)',
    tone: 'warn',
    value: ['temperature', 'temperature'],
  },
  pressure_high: {
    text: 'Pressure too high (the filter can be damaged)',
    tone: 'bad',
    value: ['pressure', 'pressure'],
  },
  pressure_low: { text: 'Pressure too low', tone: 'warn', value: ['pressure', 'pressure'] },
  feed_tds_high: {
    text: 'Feed water salinity too high (membrane service life may decrease)',
    tone: 'warn',
    value: ['feed_tds', 'concentration'],
  },
} as const satisfies Readonly<Record<string, Text>>

/** The value it was made of, in the chosen unit: `39.2 °C`, `Membrane 75 GPD`; undefined where there is none. */
export function notificationValue(
  type: keyof typeof notificationTexts,
  values: Values,
  units: UnitChoice,
): string | undefined {
  const { value }: Text = notificationTexts[type]
  if (!value) return undefined
  const given = values[value[0]]
  if (given === undefined || given === '') return undefined
  if (typeof given === 'string' || value[1] === 'text') return String(given)
  if (value[1] === 'percent') return `${toFixed(given, 0)} %`
  return `${amount(given, value[1], units)} ${unitOf(value[1], units).symbol}`
}

/** Types that one looks for together. */
export const notificationGroups: readonly {
  readonly title: string
  readonly types: readonly (keyof typeof notificationTexts)[]
}[] = [
  {
    title: 'Filters',
    types: ['cartridge_replaced', 'cartridge_expiring', 'cartridge_expired', 'filtration_system_changed'],
  },
  { title: 'Firmware', types: ['firmware_updated', 'firmware_available'] },
  { title: 'Power and network', types: ['battery_low', 'battery_empty', 'device_offline'] },
  {
    title: 'Failures',
    types: [
      'leak',
      'pump_failure',
      'pressure_sensor',
      'inlet_flow_sensor',
      'outlet_flow_sensor',
      'inlet_temperature_sensor',
      'outlet_temperature_sensor',
      'inlet_tds_sensor',
      'outlet_tds_sensor',
    ],
  },
  {
    title: 'Feed water',
    types: ['no_feed_water', 'temperature_high', 'temperature_low', 'pressure_high', 'pressure_low', 'feed_tds_high'],
  },
]

/** What the sensors of a device measure, and which channels of health need each of them. */
import type { Fault } from '../../notifications/types.ts'
import { observedChannels, type ObservedChannel } from './channels.ts'
import type { HealthReading } from './observations.ts'

interface Sensor {
  readonly name: string
  readonly measures: keyof HealthReading
  /** Without its value these are not observed (`observe`). */
  readonly channels: readonly ObservedChannel[]
}

/** By the alarm that says that a sensor is defective. The outlet's temperature is not used. */
export const deviceSensors = {
  pressure_sensor: { name: 'pressure sensor', measures: 'pressure', channels: ['a', 'r', 'h', 'p'] },
  inlet_flow_sensor: { name: 'inlet flow sensor', measures: 'feed_flow', channels: ['r'] },
  outlet_flow_sensor: { name: 'outlet flow sensor', measures: 'permeate_flow', channels: observedChannels },
  inlet_temperature_sensor: {
    name: 'inlet temperature sensor',
    measures: 'temperature',
    channels: observedChannels,
  },
  inlet_tds_sensor: { name: 'inlet TDS sensor', measures: 'feed_tds', channels: ['b', 'brief', 'f'] },
  outlet_tds_sensor: { name: 'outlet TDS sensor', measures: 'permeate_tds', channels: ['b', 'brief'] },
} as const satisfies Partial<Record<Fault, Sensor>>

export type SensorFault = keyof typeof deviceSensors
export const sensorFaults = Object.keys(deviceSensors) as readonly SensorFault[]

/** Returns the channels that are not observed while these sensors are defective, in the order of `observedChannels`. */
export const unobservedChannels = (faults: readonly SensorFault[]): readonly ObservedChannel[] =>
  observedChannels.filter(channel =>
    faults.some(fault => (deviceSensors[fault].channels as readonly ObservedChannel[]).includes(channel)),
  )

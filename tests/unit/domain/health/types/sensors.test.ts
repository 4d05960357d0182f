import { expect, test } from 'vitest'
import { observe } from '../../../../../src/domain/health/observe.ts'
import { deviceSensors, sensorFaults, unobservedChannels } from '../../../../../src/domain/health/types/sensors.ts'
import { observedChannels } from '../../../../../src/domain/health/types/channels.ts'
import type { HealthReading } from '../../../../../src/domain/health/types/observations.ts'
import { settledReading } from '../samples.ts'

/** Returns what a settled and a brief reading tell together, without the value of a sensor. */
function observed(without: Partial<HealthReading>) {
  const values = [150, 30].flatMap(run =>
    Object.keys(observe({ ...settledReading, ...without, run }, { bypass: 0, tank: false, levels: {} })?.values ?? {}),
  )
  return observedChannels.filter(channel => values.includes(channel))
}

test('with all sensors, all channels are observed', () => {
  expect(observed({})).toEqual(observedChannels)
  expect(unobservedChannels([])).toEqual([])
})

test.each(sensorFaults)('%s leaves exactly its channels unobserved', fault => {
  const { measures } = deviceSensors[fault]
  // The resting pressure comes from the same sensor.
  const without = { [measures]: null, ...(measures === 'pressure' && { resting: null }) }
  const lost = unobservedChannels([fault])
  expect(observed(without)).toEqual(observedChannels.filter(channel => !lost.includes(channel)))
})

test('channels that two sensors need are named once, in their order', () => {
  expect(unobservedChannels(['outlet_tds_sensor', 'inlet_flow_sensor', 'inlet_tds_sensor'])).toEqual([
    'b',
    'brief',
    'r',
    'f',
  ])
})

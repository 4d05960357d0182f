import { expect, test } from 'vitest'
import { observe } from '../../../../../src/domain/health/observe.ts'
import { sensorFaults, deviceSensors, unobservedChannels } from '../../../../../src/domain/health/types/sensors.ts'
import { observedChannels } from '../../../../../src/domain/health/types/channels.ts'
import type { HealthReading } from '../../../../../src/domain/health/types/observations.ts'

const reading: HealthReading = {
  at: 0,
  feed: 0.5,
  permeate: 0.2,
  feed_flow: 1,
  permeate_flow: 0.4,
  feed_tds: 300,
  permeate_tds: 20,
  pressure: 4,
  temperature: 15,
  run: 150,
  elapsed: 30,
  resting: 4.2,
}

/** Returns what a settled and a brief reading tell together, without the value of a sensor. */
function observed(without: Partial<HealthReading>) {
  const values = [150, 30].flatMap(run =>
    Object.keys(observe({ ...reading, ...without, run }, { bypass: 0, tank: false, levels: {} })?.values ?? {}),
  )
  return observedChannels.filter(channel => values.includes(channel))
}

test('with all deviceSensors, all channels are observed', () => {
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

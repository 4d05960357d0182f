/** The changes from which on findings open. */
import { expect, test } from 'vitest'
import { newChannel } from '../../../../src/domain/health/channelState.ts'
import { slowThresholds } from '../../../../src/domain/health/openFindings.ts'
import { slowSize } from '../../../../src/domain/health/thresholds.ts'

test('a device with a tank needs a larger change of its flow and of its air, and of nothing else', () => {
  expect(slowThresholds({ channels: {} })).toEqual(slowSize)
  const { a, tank, ...others } = slowThresholds({ channels: { tank: { ...newChannel(), baseline: -1 } } })
  expect(a).toBeGreaterThan(slowSize.a)
  expect(tank).toBeGreaterThan(slowSize.tank)
  expect(slowSize).toMatchObject(others)
})

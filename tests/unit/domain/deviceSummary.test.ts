import { expect, test } from 'vitest'
import { countValues, dueCartridges, rangeOf } from '../../../src/domain/deviceSummary.ts'

test('values are counted, the most frequent first', () => {
  expect(countValues(['b', 'a', 'c', 'a', 'c', 'a'])).toEqual([
    { value: 'a', count: 3 },
    { value: 'c', count: 2 },
    { value: 'b', count: 1 },
  ])
  expect(countValues([])).toEqual([])
})

test('a range leaves out sensors without a value', () => {
  expect(rangeOf([3, null, -1, 7])).toEqual({ min: -1, max: 7 })
  expect(rangeOf([4])).toEqual({ min: 4, max: 4 })
  expect(rangeOf([null])).toBeUndefined()
  expect(rangeOf([])).toBeUndefined()
})

test('cartridges that are due are counted with their devices', () => {
  const day = 86_400_000
  const now = Date.UTC(2026, 0, 1)
  const cartridge = (days: number, total = 0) => ({
    replace_at: new Date(now + days * day).toISOString(),
    resource: 1000,
    total,
    ttl: 365,
  })
  const devices = [
    { cartridges: [cartridge(-1), cartridge(-20), cartridge(200)] },
    { cartridges: [cartridge(200, 1000), cartridge(10)] },
    { cartridges: [cartridge(200, 950)] },
    { cartridges: [] },
  ]
  expect(dueCartridges(devices, now)).toEqual({
    expired: { cartridges: 3, devices: 2 },
    expiring: { cartridges: 2, devices: 2 },
  })
})

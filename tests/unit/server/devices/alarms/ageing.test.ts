import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  availableFirmware,
  cartridgeCondition,
  dueAt,
  expiringAt,
  type CartridgeCondition,
} from '../../../../../server/devices/alarms/rules.ts'

const day = 86_400_000

const wears = fc.record({
  installedAt: fc.constant(Date.UTC(2026, 0, 31)),
  ttl: fc.integer({ min: 1, max: 3650 }),
  resource: fc.integer({ min: 1, max: 1_000_000 }),
  used: fc.constant(0),
})

describe('a cartridge', () => {
  test('law: goes from healthy to expiring to expired with time and litres, and never back', () => {
    const order: readonly (CartridgeCondition | undefined)[] = [undefined, 'cartridge_expiring', 'cartridge_expired']
    const steps = fc.array(fc.record({ age: fc.double({ min: 0, max: 0.3, noNaN: true }), litres: fc.nat(100_000) }))
    fc.assert(
      fc.property(wears, steps, (wear, all) => {
        let [now, used, stage] = [wear.installedAt, 0, 0]
        for (const { age, litres } of all) {
          now += age * wear.ttl * day
          used += litres
          const next = order.indexOf(cartridgeCondition({ ...wear, used }, now))
          expect(next).toBeGreaterThanOrEqual(stage)
          stage = next
        }
      }),
    )
  })

  test('is expiring 30 days before its date, or at half its life if that is less, or with a tenth of its litres left', () => {
    const wear = { installedAt: 0, ttl: 180, resource: 10_000, used: 0 }
    expect(dueAt(wear).getTime()).toBe(180 * day)
    expect(expiringAt(wear).getTime()).toBe(150 * day)
    expect(expiringAt({ ...wear, ttl: 20 }).getTime()).toBe(10 * day)
    expect(cartridgeCondition(wear, 150 * day - 1)).toBeUndefined()
    expect(cartridgeCondition(wear, 150 * day)).toBe('cartridge_expiring')
    expect(cartridgeCondition(wear, 180 * day)).toBe('cartridge_expired')
    expect(cartridgeCondition({ ...wear, used: 8_999 }, day)).toBeUndefined()
    expect(cartridgeCondition({ ...wear, used: 9_000 }, day)).toBe('cartridge_expiring')
    expect(cartridgeCondition({ ...wear, used: 10_000 }, day)).toBe('cartridge_expired')
  })
})

test('the available firmware is the latest release, unless the device has it or a newer unreleased one', () => {
  const released = ['1.9.0', '1.10.0', '1.8.7'].map((version, nth) => ({ version, released_at: new Date(nth) }))
  expect(availableFirmware(released.slice(0, 2), '1.9.0')).toBe('1.10.0')
  expect(availableFirmware(released.slice(0, 2), '1.10.0')).toBeUndefined()
  expect(availableFirmware(released.slice(0, 2), '1.11.0-rc1')).toBeUndefined()
  expect(availableFirmware(released.slice(0, 2), '1.9.5-own')).toBe('1.10.0')
  // A later release with a lower version replaces a withdrawn one.
  expect(availableFirmware(released, '1.10.0')).toBe('1.8.7')
  expect(availableFirmware(released, '')).toBeUndefined()
  expect(availableFirmware([], '1.0.0')).toBeUndefined()
})

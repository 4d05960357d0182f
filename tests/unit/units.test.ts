import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultUnits, unitOf, units, type Quantity } from '../../src/domain/units.ts'

const every = Object.entries(units).flatMap(([quantity, choices]) =>
  Object.entries(choices).map(([name, unit]) => [quantity, name, unit] as const),
)

test.each(every)('%s in %s comes back as it was', (_, __, unit) => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), value => {
      expect(unit.toBase(unit.fromBase(value))).toBeCloseTo(value, 6)
    }),
  )
})

test('conversions keep the order', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      (a, by) => {
        for (const [, , unit] of every) expect(unit.fromBase(a + by)).toBeGreaterThan(unit.fromBase(a))
      },
    ),
  )
})

test.each([
  [units.volume.gal, 3.785411784, 1],
  [units.pressure.psi, 1, 14.503774],
  [units.concentration.gpg, 17.1181, 1],
  [units.flow['gal/min'], 3.785411784, 1],
  [units.flow['fl-oz/min'], 0.0295735295625, 1],
  [units.temperature.F, 25, 77],
  [units.temperature.F, -40, -40],
])('%o', (unit, base, shown) => {
  expect(unit.fromBase(base)).toBeCloseTo(shown, 9)
})

test('the defaults are what the wire carries', () => {
  for (const quantity of Object.keys(units) as Quantity[])
    expect(unitOf(quantity, defaultUnits).fromBase(12.5)).toBe(12.5)
})

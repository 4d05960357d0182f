import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatForInput } from '../../../src/domain/format.ts'
import {
  defaultUnits,
  flowOf,
  gallonFlows,
  unitOf,
  units,
  type Quantity,
  type UnitChoice,
} from '../../../src/domain/units.ts'

const allUnits = Object.entries(units).flatMap(([quantity, choices]) =>
  Object.entries(choices).map(([name, unit]) => [quantity, name, unit] as const),
)

test.each(allUnits)('converting %s to %s and back keeps the value', (_, __, unit) => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), value => {
      expect(unit.toBase(unit.fromBase(value))).toBeCloseTo(value, 6)
    }),
  )
})

test('conversions preserve the order of values', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      (a, rise) => {
        for (const [, , unit] of allUnits) expect(unit.fromBase(a + rise)).toBeGreaterThan(unit.fromBase(a))
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

test('the default units are the base units of the API', () => {
  for (const quantity of Object.keys(units) as Quantity[])
    expect(unitOf(quantity, defaultUnits).fromBase(12.5)).toBe(12.5)
})

test('the unit of flow follows that of volume, with two choices for gallons', () => {
  expect(flowOf('l', 'fl-oz/min')).toBe('l/min')
  expect(flowOf('gal', 'l/min')).toBe('gal/min')
  for (const flow of gallonFlows) expect(flowOf('gal', flow)).toBe(flow)
})

test('a gallon a minute is 128 fluid ounces, and flow and volume convert alike', () => {
  const { flow, volume } = units
  expect(flow['fl-oz/min'].fromBase(flow['gal/min'].toBase(1))).toBeCloseTo(128, 9)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), litres => {
      expect(flow['gal/min'].fromBase(litres)).toBeCloseTo(volume.gal.fromBase(litres), 6)
    }),
  )
})

test('conversions are proportional, except °F, which is linear', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e4, max: 1e4, noNaN: true }),
      fc.double({ min: 0, max: 10, noNaN: true }),
      (a, k) => {
        for (const [quantity, , unit] of allUnits) {
          const zero = unit.fromBase(0)
          expect(zero, quantity).toBe(unit === units.temperature.F ? 32 : 0)
          expect(unit.fromBase(a * k) - zero).toBeCloseTo((unit.fromBase(a) - zero) * k, 6)
        }
      },
    ),
  )
})

test('saving an unchanged amount in a field changes the value by less than its displayed precision', () => {
  const choices: UnitChoice[] = [
    defaultUnits,
    { volume: 'gal', temperature: 'F', pressure: 'psi', concentration: 'gpg', flow: 'gal/min' },
    { volume: 'gal', temperature: 'F', pressure: 'psi', concentration: 'gpg', flow: 'fl-oz/min' },
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(units) as Quantity[])),
      fc.constantFrom(...choices),
      fc.double({ min: 0, max: 5000, noNaN: true }),
      (quantity, choice, value) => {
        const { toBase } = unitOf(quantity, choice)
        const back = toBase(Number(formatForInput(value, quantity, choice)))
        expect(Math.abs(back - value)).toBeLessThan(0.0005 * Math.max(1, toBase(1) - toBase(0)) + 1e-9)
      },
    ),
  )
})

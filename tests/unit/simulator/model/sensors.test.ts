/** Sensors of a simulated unit, and the water that devices of a supply share. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedWater } from '../../../../simulator/model/feedWater.ts'
import { measured, measuredTemperature, type Quantity } from '../../../../simulator/model/sensors.ts'
import { siteOn, suppliedWater, supplyNamed, supplyOf, supplySizes } from '../../../../simulator/model/supplies.ts'
import { msPerDay, msPerHour, msPerMinute } from '../../../../src/domain/time.ts'

const noon = Date.parse('2026-06-10T12:00:00Z')
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const robustSd = (values: readonly number[]) => {
  const middle = median(values)
  return 1.4826 * median(values.map(value => Math.abs(value - middle)))
}
const many = (count: number, make: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => make(index))

test('a sensor measures the same at the same time, and nothing of nothing', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (seed, seconds) => {
      const at = noon + seconds * 1000
      expect(measured(seed, 'permeateFlow', 1.2, at)).toBe(measured(seed, 'permeateFlow', 1.2, at))
      expect(measured(seed, 'permeateFlow', 0, at)).toBe(0)
      expect(measured(seed, 'permeateTds', 20, at, 1.5)).toBeCloseTo(1.5 * measured(seed, 'permeateTds', 20, at), 9)
      expect(measuredTemperature(seed, 15, at)).toBeGreaterThan(14.1)
      expect(measuredTemperature(seed, 15, at)).toBeLessThan(15.9)
    }),
  )
})

test('the noise of a minute is 1.5 %, and a measurement in a thousand is an outlier', () => {
  const values = many(20_000, index => Math.log(measured(3, 'feedTds', 400, noon + index * 1000)))
  expect(robustSd(values)).toBeGreaterThan(0.013)
  expect(robustSd(values)).toBeLessThan(0.018)
  const middle = median(values)
  const far = values.filter(value => Math.abs(value - middle) > 0.1).length / values.length
  expect(far).toBeGreaterThan(0.0003)
  expect(far).toBeLessThan(0.002)
})

test.each([
  ['permeateTds', 0.03, 0.05],
  ['permeateFlow', 0.02, 0.03],
] as const)('%s wanders by %f over months, and units differ by up to %f', (quantity: Quantity, wander, gain) => {
  const daily = (seed: number) =>
    many(400, day =>
      median(many(15, index => Math.log(measured(seed, quantity, 30, noon + day * msPerDay + index * 5000)))),
    )
  const sds = many(12, seed => robustSd(daily(seed)))
  expect(median(sds)).toBeGreaterThan(0.6 * wander)
  expect(median(sds)).toBeLessThan(1.5 * wander)
  const gains = many(300, seed => median(many(9, day => measured(seed, quantity, 1, noon + day * 40 * msPerDay))) - 1)
  expect(robustSd(gains)).toBeGreaterThan(gain / 3)
  for (const one of gains) expect(Math.abs(one)).toBeLessThan(gain + 3 * wander)
})

test('supplies have 3 to 50 devices, each in one of them', () => {
  fc.assert(
    fc.property(fc.nat(50), seed => {
      const sizes = new Map<string, number>()
      for (let index = 0; index < 1000; index++) {
        const { supply, place } = supplyOf(seed, index)
        expect(place).toBe(sizes.get(supply) ?? 0)
        sizes.set(supply, place + 1)
      }
      expect(Math.min(...sizes.values())).toBeGreaterThanOrEqual(supplySizes[0])
      expect(Math.max(...sizes.values())).toBeLessThanOrEqual(supplySizes[1])
      expect(sizes.size).toBeGreaterThan(30)
    }),
    { numRuns: 20 },
  )
})

test('devices of a supply have the same water but for their floor and pipe, and others another', () => {
  const supply = supplyNamed(1, '0-3')
  const [one, other] = [siteOn(supply, 11), siteOn(supply, 22)]
  const elsewhere = siteOn(supplyNamed(1, '0-4'), 33)
  const change = (site: typeof one, from: number, to: number) => feedWater(site, to).tds / feedWater(site, from).tds
  const days = many(200, day => noon + day * msPerDay)
  for (const [index, at] of days.slice(1).entries())
    expect(change(one, days[index]!, at) / change(other, days[index]!, at)).toBeCloseTo(1, 6)
  expect(
    days
      .slice(1)
      .some((at, index) => Math.abs(change(one, days[index]!, at) - change(elsewhere, days[index]!, at)) > 0.01),
  ).toBe(true)
  // The house's own taps move the pressure for minutes.
  const pressures = many(48, index => noon + index * msPerHour).map(
    at => feedWater(one, at).pressure - feedWater(other, at).pressure,
  )
  expect(new Set(pressures.map(value => value.toFixed(3))).size).toBeGreaterThan(20)
  expect(Math.abs(feedWater(one, noon).pressure - feedWater(one, noon + msPerMinute).pressure)).toBeLessThan(0.05)
})

test('what changes at a supply changes the water of its devices', () => {
  const site = siteOn(supplyNamed(1, '0-3'), 11)
  const before = feedWater(site, noon)
  expect(suppliedWater(site, noon, { supplyTds: 1.6, supplyPressure: 0.7 })).toEqual({
    temperature: before.temperature,
    tds: before.tds * 1.6,
    pressure: before.pressure * 0.7,
  })
})
